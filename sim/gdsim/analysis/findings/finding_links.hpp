#pragma once

#include <gdsim/analysis/run_report.hpp>

#include <string>

namespace gdsim {

/// `Links: for 69.5 % of the run, d0 does nothing but copy and exchange over links.` Where that is half of the run, how
/// large launches are does not matter. Empty: it is less.
std::string links_finding(const RunReport& report);

}  // namespace gdsim
