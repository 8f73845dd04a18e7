#pragma once

#include <gdsim/analysis/run_report.hpp>
#include <gdsim/record/run_record.hpp>
#include <gdsim/scenario/scenario.hpp>

#include <vector>

namespace gdsim {

/// Returns the times in which each device transferred data over links, by device, then by begin: copies that it sends
/// or receives, and collectives from the instant at which the last of their devices joined. `all` must have each launch
/// of the host.
std::vector<std::vector<LinkSpan>> link_spans(const Scenario& scenario, const RunRecord& all);

}  // namespace gdsim
