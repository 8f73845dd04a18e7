#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/yaml/yaml_path.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace gdsim {

/// Adds each issue to `placed` with the mark of its field in the scenario `root`, or of the nearest value above it that
/// was written, and with the lines of all that take part in it. A field of the device stands in another file, perhaps:
/// its issue is placed where the scenario names the device. `launch_items`: by launch, its item of `launches:`, where
/// several launches come from one; behind its end, launches are items.
void place_issues(const Issues& issues, const YamlNode& root, const std::vector<std::size_t>& launch_items,
                  Diagnostics& placed);

/// The path with dots only, `program.2.compute`, as `--set` and mark_of() want it.
std::string dotted(std::string_view path);

}  // namespace gdsim
