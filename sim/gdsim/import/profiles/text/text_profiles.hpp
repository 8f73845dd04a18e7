#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/base/quantity.hpp>
#include <gdsim/import/profiles/profile.hpp>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gdsim {

/// Returns true if the text is Accel-Sim's list of kernels (`kernelslist.g`).
bool is_kernels_list(std::string_view text);

/// Returns true if the text is the trace of one kernel (`kernel-1.traceg`).
bool is_kernel_trace(std::string_view text);

/// Reads a list: copies, and the headers of the traces in the list's folder. Throws InputError with the line if one of
/// them cannot be read.
void read_kernels_list(const SourceText& source, const std::filesystem::path& folder, Profile& profile);

/// Reads the header of one trace. Throws InputError with the line at fault.
void read_kernel_trace(const SourceText& source, Profile& profile);

/// Returns true if the text is a trace of Balar's CUDA calls.
bool is_balar_trace(std::string_view text);

/// Reads its launches and copies. Throws InputError with the line at fault.
void read_balar_trace(const SourceText& source, Profile& profile);

/// A GPU as a `gpgpusim.config` describes it. Missing values are nullopt.
struct GpgpuSimConfig {
  std::string family;                         ///< the model of its compute capability: `cc-7.0`; empty: missing
  std::optional<std::uint64_t> cores{};       ///< clusters x cores per cluster
  std::optional<std::uint64_t> schedulers{};  ///< engines of a core
  std::optional<std::uint64_t> threads{};     ///< resident work-items of a core
  std::optional<std::uint64_t> warp{};        ///< work-items
  std::optional<std::uint64_t> blocks{};      ///< work-groups of a core
  std::optional<std::uint64_t> registers{};   ///< of a core
  std::optional<std::uint64_t> shared{};      ///< bytes of a core
  std::optional<Hertz> clock{};               ///< of the cores
  std::optional<std::uint64_t> launch_cycles{};
  std::vector<std::string> unused;  ///< options without a counterpart in gdsim's models
};

/// Returns true if the text is a configuration of GPGPU-Sim or Accel-Sim.
bool is_gpgpusim_config(std::string_view text);

/// Reads the configuration. Throws InputError with all lines that cannot be read.
GpgpuSimConfig read_gpgpusim_config(const SourceText& source);

/// Returns a device file named `name` that extends the family's model by the configuration. Throws InputError if the
/// configuration lacks the compute capability.
std::string device_file_of(const GpgpuSimConfig& config, const std::string& name, const std::string& file);

/// A device activity's name in unitrace: `GEMM[SIMD32 {1; 1024; 1} {1024; 1; 1}]` is a kernel with its work-groups and
/// their size, `zeCommandListAppendMemoryCopy(M2D)[4194304]` a copy with its bytes.
struct UnitraceName {
  std::string_view name;  ///< without the text in brackets
  ProfiledWork work = ProfiledWork::kernel;
  std::optional<std::uint32_t> simd{};
  Extent groups{};
  Extent group_size{};
  std::optional<std::uint64_t> bytes{};
  bool is_event = false;  ///< a barrier or the reset of an event: no work
};

/// Returns nullopt if the text is no such name: it has neither sizes nor bytes in brackets.
std::optional<UnitraceName> unitrace_name(std::string_view text);

/// Returns true if the text is output of unitrace (or onetrace): a timeline of the device (-t), or summaries (-d).
bool is_unitrace_text(std::string_view text);

/// Reads the launches of a timeline or, if there is none, those in the table of times, and the table of kernel
/// properties. Throws InputError with the line at fault.
void read_unitrace_text(const SourceText& source, Profile& profile);

}  // namespace gdsim
