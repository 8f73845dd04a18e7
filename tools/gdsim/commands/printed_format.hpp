#pragma once

#include <gdsim/report/format_catalog.hpp>
#include <gdsim/scenario/read_scenario.hpp>

#include <optional>
#include <string>

namespace gdsim::cli {

/// Returns the help of `--print`, which lists all formats.
const std::string& print_help();
/// Returns the names of all formats, separated by spaces.
const std::string& print_choices();
/// Returns the format that `--print NAME` names. Throws UsageError if there is none.
Format printed_format(const std::string& name);
/// Returns what the scenario lacks to write this format, or nullopt if it lacks nothing.
std::optional<std::string> lacks(const Scenario& scenario, const Format& format);

}  // namespace gdsim::cli
