#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/yaml/yaml_node.hpp>

#include <string_view>

namespace gdsim {

/// Sets a value at a full path as set_path() does, for `--set` and `--vary`. A number in place of the number at
/// `kernels.NAME.sub_group` keeps the kernel's work: the number of the file becomes its `program_sub_group`, unless it
/// has one.
void override_value(YamlNode& scenario, std::string_view path, const YamlNode& value, const SourceMark& where,
                    Diagnostics& problems);

}  // namespace gdsim
