#pragma once

#include <gdsim/import/profiles/scenario/profile_plan.hpp>
#include <gdsim/report/sink.hpp>
#include <gdsim/yaml/yaml_value.hpp>

#include <string>
#include <utility>
#include <vector>

namespace gdsim {

/// The device of a scenario in its file: a model's name or path, and the keys that are set on it.
struct ScenarioDevice {
  std::string reference;                                    ///< the value of `device:` or `base:`
  std::vector<std::pair<std::string, std::string>> counts;  ///< keys of a family that the profile gives: `cores`, `108`
  std::vector<std::string> comments;                        ///< reasons for the choice, each a sentence
};

/// Returns the value of `device:`: a name, or a mapping with `base:`.
YamlValue device_value(const ScenarioDevice& device, const std::vector<DeviceOverride>& overrides);

/// Writes the plan as YAML, which reads back to the same workload.
void write_profile_scenario(const Profile& profile, const ProfilePlan& plan, const ScenarioDevice& device, Sink& sink);

}  // namespace gdsim
