#pragma once

#include <gdsim/device/dispatch_rules.hpp>
#include <gdsim/yaml/yaml_values.hpp>

namespace gdsim {

/// Reads `dispatch: {preemption: ...}`.
void read_preemption(const YamlNode& node, PreemptionRule& rule, const ValueReader& values);

}  // namespace gdsim
