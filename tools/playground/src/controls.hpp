#pragma once

#include <gdsim/report/json/json_writer.hpp>
#include <gdsim/scenario/read_scenario.hpp>

namespace gdsim::playground {

/// Writes a list of the values that the page has controls for: every parameter; local size, sub-group size and SLM of
/// each kernel; the rules of dispatch. Each is an object: `kind`, `path` as of --set, `label`, `value` as the scenario
/// or its device has it (empty: by default), `choices` where the device has a list of them, and `max`: work-items or
/// bytes that the device gives a work-group; 0 of other kinds.
void write_controls(const ScenarioCase& one, JsonWriter& json);

}  // namespace gdsim::playground
