#pragma once

#include <gdsim/report/json/json_writer.hpp>
#include <gdsim/scenario/read_scenario.hpp>

namespace gdsim::playground {

/// Writes a list of the values that the page has controls for: every parameter; local size, sub-group size and SLM of
/// each kernel; the dispatch rules. Each is an object: `kind`, `path` as in --set, `label`, `value` in the scenario or
/// its device (empty: the default), `choices` if the device has a list of them, and `max`: the maximum of work-items or
/// bytes per work-group on the device; 0 for other kinds.
void write_controls(const ScenarioCase& one, JsonWriter& json);

}  // namespace gdsim::playground
