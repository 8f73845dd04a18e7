#pragma once

#include <gdsim/analysis/run_report.hpp>

#include <string>

namespace gdsim {

/// `Links: for 69.5 % of the run, d0 does nothing but copy and exchange over links.` If that is half of the run, the
/// sizes of launches do not matter. Empty if it is less.
std::string links_finding(const RunReport& report);

}  // namespace gdsim
