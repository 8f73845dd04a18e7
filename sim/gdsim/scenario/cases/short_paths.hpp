#pragma once

#include <gdsim/yaml/yaml_node.hpp>

#include <string>
#include <string_view>

namespace gdsim {

/// The path of a value of a scenario, which may be given by a short name: a parameter's (`tile` for
/// `parameters.tile`), or, where there is one kernel only, that of a key of the kernel (`local` for `kernels.k.local`).
/// Any other path is returned unchanged.
std::string full_path(const YamlNode& scenario, std::string_view path);

}  // namespace gdsim
