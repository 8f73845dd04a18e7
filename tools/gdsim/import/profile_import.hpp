#pragma once

#include "options/command.hpp"
#include <gdsim/import/profiles/profile.hpp>
#include <gdsim/scenario/device/model_library.hpp>

#include <vector>

namespace gdsim::cli {

/// `gdsim import` of a profile and of further files about its kernels and devices: writes its scenario, and reports
/// what was read, assumed and left out.
ExitStatus import_profile(CommandContext& context, const std::vector<ProfileInput>& inputs, ModelLibrary& models,
                          SourceFiles& sources);

/// Returns a reference to a device for a file in `output`'s folder: paths become relative to it; for `-` none changes.
std::string reference_seen_from(const std::string& device, const std::string& output);

}  // namespace gdsim::cli
