#pragma once

#include <gdsim/scenario/expression.hpp>
#include <gdsim/scenario/model_library.hpp>
#include <gdsim/scenario/yaml_node.hpp>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace gdsim {

/// Expressions that were parsed, by their text: a scenario that is read many times parses each once.
using ExpressionCache = std::map<std::string, Expression, std::less<>>;

/// Replaces every expression in a scenario, whose cases and overrides are applied, by its value. Names are the
/// scenario's parameters, `device.cores` and `device.contexts`, and in a kernel its own `local` (work-items of a
/// work-group) and `threads` (threads of a work-group). The title and the sources of expectations are texts and stay as
/// they are. Every problem is added with its place. What has no value becomes 1, so that the rest can be checked: the
/// places of these come back, for nothing can be said of them.
std::vector<SourceMark> evaluate_expressions(YamlNode& root, const std::filesystem::path& near, ModelLibrary& models,
                                             ExpressionCache& cache, Diagnostics& problems);

}  // namespace gdsim
