#pragma once

#include <gdsim/report/format_catalog.hpp>
#include <gdsim/scenario/read_scenario.hpp>

#include <optional>
#include <string>

namespace gdsim::cli {

/// The format that `--print NAME` names. Throws UsageError if there is none.
Format printed_format(const std::string& name);
/// What the scenario lacks, without which this format cannot be written; nothing: it can be.
std::optional<std::string> lacks(const Scenario& scenario, const Format& format);

}  // namespace gdsim::cli
