#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/scenario/device/model_library.hpp>
#include <gdsim/scenario/expressions/numbered_values.hpp>
#include <gdsim/yaml/yaml_node.hpp>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace gdsim {

/// Returns true if the kernel has `local: auto` or `sub_group: auto`, or no `sub_group`.
bool has_automatic_sizes(const YamlNode& kernel);

/// Replaces `auto` by numbers, with a rule of this project: real runtimes have their own.
///
/// `local`: in each dimension, the fastest first, the largest number that divides `global` and keeps the work-group
/// within the device's maximum and within the contexts of a core; registers and SLM are ignored. `sub_group`: the
/// device's largest size that divides the work-group, else its smallest; without the key, the only size of a device
/// that has one. Without a device, or if `global` or `local`
/// cannot be read, the number is 1; the problem is reported elsewhere.
void choose_sizes(YamlNode& kernel, const DeviceSpec* device);

/// The result of evaluating the expressions of a scenario.
struct EvaluatedExpressions {
  /// Places of expressions without a value, where no further checks are possible.
  std::vector<SourceMark> without_value{};
  std::map<std::string, KernelGroupValues, std::less<>> by_kernel{};  ///< only kernels that have such values
};

/// Replaces every expression in a scenario, whose cases and overrides are applied, by its value. Names are the
/// scenario's parameters, `device.cores` and `device.contexts`, and in a kernel its own `local` (work-items of a
/// work-group) and `threads` (threads of a work-group). Expressions of a program and of `variation.work_groups` may
/// also use names that satisfy is_group_name(), and those in the body of `tiles` kTileName. Such expressions stay as
/// written and get a number (`YamlNode::group_value`, `tile_value`), and their values are returned. The title and the
/// sources of expectations are texts and stay unchanged. Every problem is added with its place. An expression without a
/// value becomes 1, so that the rest can be checked.
EvaluatedExpressions evaluate_expressions(YamlNode& root, const std::filesystem::path& near, ModelLibrary& models,
                                          ExpressionCache& cache, Diagnostics& problems);

}  // namespace gdsim
