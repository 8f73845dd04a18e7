#pragma once

#include "commands/command.hpp"

#include <gdsim/import/profiles/profile_input.hpp>
#include <gdsim/scenario/device/model_library.hpp>

#include <vector>

namespace gdsim::cli {

/// `gdsim import` of a profile, and of files that say more about its kernels and devices: writes its scenario, and
/// reports what was read, assumed and left out.
ExitStatus import_profile(CommandContext& context, const std::vector<ProfileInput>& inputs, ModelLibrary& models,
                          SourceFiles& sources);

/// A reference to a device as a file in the folder of `output` has it: paths are relative to that. `-`: as it is.
std::string reference_seen_from(const std::string& device, const std::string& output);

}  // namespace gdsim::cli
