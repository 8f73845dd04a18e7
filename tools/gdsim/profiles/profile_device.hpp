#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/import/profiles/profile.hpp>
#include <gdsim/import/profiles/scenario/write_profile_scenario.hpp>
#include <gdsim/scenario/device/model_library.hpp>

#include <string>

namespace gdsim::cli {

/// The device of an imported profile: how the scenario names it, and what it is.
struct ChosenDevice {
  ScenarioDevice written;
  DeviceSpec spec;
};

/// The device on which launches called `key` ran: that of `wanted` (--device), if it is not empty; else the model of
/// the product that the file names; else the family's with the file's numbers. Throws InputError, naming --device, if
/// the file says too little.
ChosenDevice choose_device(const Profile& profile, const std::string& key, const std::string& wanted,
                           ModelLibrary& models, SourceFiles& sources);

}  // namespace gdsim::cli
