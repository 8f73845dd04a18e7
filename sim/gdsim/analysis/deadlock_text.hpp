#pragma once

#include <gdsim/analysis/run_report.hpp>

#include <string>

namespace gdsim {

/// Lists the waits of threads in a deadlock, one per line. Positions are given as `FILE:LINE` if the workload came from
/// a file.
std::string deadlock_text(const RunReport& report);

/// deadlock_text() for files and pages: without the scenario's folder, so that they do not depend on its location.
std::string stored_deadlock_text(const RunReport& report);

}  // namespace gdsim
