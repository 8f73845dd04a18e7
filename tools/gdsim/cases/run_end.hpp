#pragma once

#include "terminal/program.hpp"

#include <gdsim/record/run_record.hpp>

#include <string>

namespace gdsim::cli {

enum class HasTimes : bool { no, yes };

/// Returns the exit status for a run. Writes a message to standard error if the run did not complete. It says no time
/// of a run that has none, because the program of a kernel is a placeholder.
ExitStatus report_end(const std::string& name, const RunRecord& record, HasTimes has_times = HasTimes::yes);

}  // namespace gdsim::cli
