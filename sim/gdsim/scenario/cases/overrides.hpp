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

/// Sets a value at a full path as set_path() does, for `--set` and `--vary`. A number in place of the number at
/// `kernels.NAME.sub_group` keeps the kernel's work: the number of the file becomes its `program_sub_group`, unless it
/// has one.
void override_value(YamlNode& scenario, std::string_view path, const YamlNode& value, const SourceMark& where,
                    Diagnostics& problems);

/// Returns the full path of a scenario's value that may be given by a short name: a parameter's (`tile` for
/// `parameters.tile`) or, if there is only one kernel, a key of that kernel (`local` for `kernels.k.local`). Returns
/// any other path unchanged.
std::string full_path(const YamlNode& scenario, std::string_view path);

/// What to say of a full path that begins with no key of a scenario, but with the name of a kernel, queue or device,
/// or, among several kernels, with a key of a kernel: the path that is meant. Nothing: the path begins otherwise.
std::optional<std::string> path_hint(const YamlNode& scenario, std::string_view path);

}  // namespace gdsim
