#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/compile/compile.hpp>
#include <gdsim/scenario/read_scenario.hpp>
#include <gdsim/yaml/yaml_node.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace gdsim {

/// Calls compile_scenario() for each device of a scenario with several devices. Thread-safe.
std::vector<Compiled> compile_devices(const Scenario& scenario);

/// Adds each issue to `placed` with the mark of its field in the scenario `root`, or of the nearest written value above
/// it, and with the lines of all participants. A field of the device may be in another file: its issue is placed where
/// the scenario names the device. `launch_items`: by launch, its item of `launches:`, if several launches come from one
/// item; past its end, launches are items.
void place_issues(const Issues& issues, const YamlNode& root, const std::vector<std::size_t>& launch_items,
                  Diagnostics& placed);

/// Returns the path with dots only, `program.2.compute`, as `--set` and mark_of() expect it.
std::string dotted(std::string_view path);

}  // namespace gdsim
