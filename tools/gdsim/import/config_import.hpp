#pragma once

#include "options/command.hpp"
#include <gdsim/import/profiles/profile.hpp>
#include <gdsim/scenario/device/model_library.hpp>

namespace gdsim::cli {

/// Returns true if the file is a configuration of GPGPU-Sim.
bool is_simulator_config(const ProfileInput& input);

/// `gdsim import` of a `gpgpusim.config`: writes a device file with the name of the output, and reports options that
/// models lack. Throws InputError if the resulting device cannot be used.
ExitStatus import_config(CommandContext& context, const ProfileInput& input, ModelLibrary& models,
                         SourceFiles& sources);

}  // namespace gdsim::cli
