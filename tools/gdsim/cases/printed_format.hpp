#pragma once

#include <gdsim/report/format_catalog.hpp>
#include <gdsim/scenario/read_scenario.hpp>

#include <optional>
#include <string>

namespace gdsim::cli {

/// Returns the format that `--print NAME` names. Throws UsageError if there is none.
Format printed_format(const std::string& name);
/// Returns the names for people, with what a device or run must have: `timeline, ...; of core groups groups; ...`.
std::string printed_format_list();
/// Returns the names with spaces between them.
std::string printed_format_names();
/// Returns what the scenario lacks to write this format, or nullopt if it lacks nothing.
std::optional<std::string> lacks(const Scenario& scenario, const Format& format);

}  // namespace gdsim::cli
