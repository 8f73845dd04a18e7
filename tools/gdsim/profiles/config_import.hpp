#pragma once

#include "commands/command.hpp"

#include <gdsim/import/profiles/profile_input.hpp>
#include <gdsim/scenario/device/model_library.hpp>

namespace gdsim::cli {

/// The file is a configuration of GPGPU-Sim.
bool is_simulator_config(const ProfileInput& input);

/// `gdsim import` of a `gpgpusim.config`: writes a device file, called as the output is, and reports which options no
/// model has. Throws InputError if the device that comes of it cannot be used.
ExitStatus import_config(CommandContext& context, const ProfileInput& input, ModelLibrary& models,
                         SourceFiles& sources);

}  // namespace gdsim::cli
