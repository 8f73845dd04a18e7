#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/scenario/yaml_path.hpp>

#include <string>

namespace gdsim {

/// Adds each issue to `placed` with the mark of its field in the scenario `root`, or of the nearest value above it that
/// was written, and with the lines of all that take part in it. A field of the device stands in another file, perhaps:
/// its issue is placed where the scenario names the device.
void place_issues(const Issues& issues, const YamlNode& root, Diagnostics& placed);

/// The path with dots only, `program.2.compute`, as `--set` and mark_of() want it.
std::string dotted(std::string_view path);

}  // namespace gdsim
