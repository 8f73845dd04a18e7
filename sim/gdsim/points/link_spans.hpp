#pragma once

#include <gdsim/analysis/run_report.hpp>
#include <gdsim/record/run_record.hpp>
#include <gdsim/scenario/read_scenario.hpp>

#include <vector>

namespace gdsim {

/// When something of each device was on its way over links, by device, then by begin: copies that it sends or gets, and
/// collectives from the instant on at which the last of their devices joined them. `all` has each launch of the host.
std::vector<std::vector<LinkSpan>> link_spans(const Scenario& scenario, const RunRecord& all);

}  // namespace gdsim
