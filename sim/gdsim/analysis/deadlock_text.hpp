#pragma once

#include <gdsim/analysis/run_report.hpp>

#include <string>

namespace gdsim {

/// Which threads wait for what when nothing can happen any more, line by line; places as `FILE:LINE` if the workload
/// came from a file.
std::string deadlock_text(const RunReport& report);

/// The same for files and pages: without the folder of the scenario, so that they do not depend on where it lies.
std::string stored_deadlock_text(const RunReport& report);

}  // namespace gdsim
