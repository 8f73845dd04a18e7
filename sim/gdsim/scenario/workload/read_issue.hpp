#pragma once

#include <gdsim/scenario/workload/access_sizes.hpp>
#include <gdsim/workload/program.hpp>
#include <gdsim/yaml/yaml_values.hpp>

#include <optional>

namespace gdsim {

/// Reads the value of a step `issue`: `5000 cycles`; `{fp32: 1024, int32: 128}`, which may also have `l1`; or
/// `{mma: m16n8k16 bf16, count: 64}`, see matrix_instructions.hpp, beside such kinds. Returns nullopt if there was a
/// problem.
std::optional<Step> read_issue(const YamlNode& node, const AccessSizes& sizes, const ValueReader& values);

}  // namespace gdsim
