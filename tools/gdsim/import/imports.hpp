#pragma once

#include "compiled/compiled_input.hpp"
#include "options/command.hpp"
#include "options/options.hpp"

#include <gdsim/import/profiles/profile.hpp>
#include <gdsim/import/ptx/ptx_launch.hpp>
#include <gdsim/report/sink.hpp>
#include <gdsim/scenario/device/model_library.hpp>

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

namespace gdsim::cli {

/// Writes what was imported to the file of `-o`, or to standard output. Throws InputError, before anything is written,
/// if that file is one of those that were read. The playground has another definition, which keeps the text.
void write_imported(CommandContext& context, const std::function<void(Sink&)>& write);

/// The value of an option such as `--grid 32,32`: 1 to 3 numbers from 1 to 2^31, x first, whose product is at most
/// 2^31. Throws UsageError otherwise.
std::optional<std::array<std::uint64_t, 3>> extent_option(const Options& options, std::string_view name);

/// Reads how a kernel with an imported program is launched and what the user states about it: `--arg`, `--trips`,
/// `--branch`, `--gather`, `--warm`; grid and block as given, else 1. Throws UsageError.
PtxLaunch program_options(const Options& options);

/// The options that only a program needs.
inline constexpr std::array<std::string_view, 6> kProgramOptions{"arg", "trips", "branch", "gather", "warm", "cubin"};

/// Makes the program of the answer's only kernel, which was read from PTX, and adds it to the kernel's entry. Throws
/// UsageError if there are several kernels, InputError with everything that PTX and options leave undefined.
void add_program(CompiledAnswer& answer, const Options& options, const ModelLibrary& models, SourceFiles& sources);

/// `gdsim import` of a profile and of further files about its kernels and devices: writes its scenario, and reports
/// what was read, assumed and left out.
ExitStatus import_profile(CommandContext& context, const std::vector<ProfileInput>& inputs, ModelLibrary& models,
                          SourceFiles& sources);

/// Returns a reference to a device for a file in `output`'s folder: paths become relative to it; for `-` none changes.
std::string reference_seen_from(const std::string& device, const std::string& output);

/// Returns true if the file is a configuration of GPGPU-Sim.
bool is_simulator_config(const ProfileInput& input);

/// `gdsim import` of a `gpgpusim.config`: writes a device file with the name of the output, and reports options that
/// models lack. Throws InputError if the resulting device cannot be used.
ExitStatus import_config(CommandContext& context, const ProfileInput& input, ModelLibrary& models,
                         SourceFiles& sources);

}  // namespace gdsim::cli
