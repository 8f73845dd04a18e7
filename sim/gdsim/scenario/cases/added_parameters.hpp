#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/yaml/yaml_node.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gdsim {

/// A parameter that a case, `--set` or `--vary` adds to a scenario.
struct AddedParameter {
  std::string name;
  SourceMark mark;  ///< where it is set
};

/// Returns the parameter that setting this full path would add, or nullopt if it adds none.
std::optional<std::string> added_parameter(const YamlNode& scenario, std::string_view path);

/// Reports parameters that no expression of the scenario uses: they are usually misspelt.
void require_used(const YamlNode& scenario, const std::vector<AddedParameter>& added, Diagnostics& problems);

}  // namespace gdsim
