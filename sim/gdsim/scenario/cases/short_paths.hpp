#pragma once

#include <gdsim/yaml/yaml_node.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace gdsim {

/// Returns the full path of a scenario's value that may be given by a short name: a parameter's (`tile` for
/// `parameters.tile`) or, if there is only one kernel, a key of that kernel (`local` for `kernels.k.local`). Returns
/// any other path unchanged.
std::string full_path(const YamlNode& scenario, std::string_view path);

/// What to say of a full path that begins with no key of a scenario, but with the name of a kernel, queue or device,
/// or, among several kernels, with a key of a kernel: the path that is meant. Nothing: the path begins otherwise.
std::optional<std::string> path_hint(const YamlNode& scenario, std::string_view path);

}  // namespace gdsim
