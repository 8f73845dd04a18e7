#pragma once

#include <gdsim/workload/program.hpp>
#include <gdsim/yaml/yaml_values.hpp>

#include <optional>

namespace gdsim {

/// Reads the value of a step `signal`: `full`, `{name: empty, initially: 2}`, or a flag of the launch, `{name: flag,
/// scope: launch, index: 3}`. Returns nullopt if there was a problem.
std::optional<Step> read_signal(const YamlNode& node, const ValueReader& values);
/// Reads the same of a step `wait`, which has no `initially`.
std::optional<Step> read_wait(const YamlNode& node, const ValueReader& values);

}  // namespace gdsim
