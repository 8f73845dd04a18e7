#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/import/profiles/profile.hpp>
#include <gdsim/import/profiles/scenario/write_profile_scenario.hpp>
#include <gdsim/scenario/device/model_library.hpp>

#include <string>

namespace gdsim::cli {

/// The device of an imported profile: its reference in the scenario, and its specification.
struct ChosenDevice {
  ScenarioDevice written;
  DeviceSpec spec;
};

/// Returns the device on which launches called `key` ran: `wanted` (--device) if it is not empty; else the model of the
/// product that the file names; else the family's model with the file's numbers. Throws InputError, naming --device, if
/// the file says too little.
ChosenDevice choose_device(const Profile& profile, const std::string& key, const std::string& wanted,
                           ModelLibrary& models, SourceFiles& sources);

}  // namespace gdsim::cli
