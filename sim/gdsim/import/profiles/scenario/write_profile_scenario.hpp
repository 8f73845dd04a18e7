#pragma once

#include <gdsim/import/profiles/scenario/profile_plan.hpp>
#include <gdsim/report/sink.hpp>

#include <string>
#include <utility>
#include <vector>

namespace gdsim {

/// The device of a scenario as it is written: a model's name or path, and what is set on it.
struct ScenarioDevice {
  std::string reference;                                    ///< as `device:` or `base:` has it
  std::vector<std::pair<std::string, std::string>> counts;  ///< keys of a family that the file gives: `cores`, `108`
  std::vector<std::string> comments;                        ///< how it was chosen, each a sentence
};

/// The value of `device:`: a name, or a mapping with `base:`.
std::string device_value(const ScenarioDevice& device, const std::vector<DeviceOverride>& overrides);

/// Writes the plan as YAML, which reads back to the same workload.
void write_profile_scenario(const Profile& profile, const ProfilePlan& plan, const ScenarioDevice& device, Sink& sink);

}  // namespace gdsim
