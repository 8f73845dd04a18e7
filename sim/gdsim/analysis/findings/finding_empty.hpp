#pragma once

#include <gdsim/analysis/run_report.hpp>

#include <string>

namespace gdsim {

/// `Empty: no warp is resident for 64.1 % of the run, before and between its 200 launches.` Empty unless the run has
/// several launches and no thread is resident for half of its time or more.
std::string empty_finding(const RunReport& report);

}  // namespace gdsim
