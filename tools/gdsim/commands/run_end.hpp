#pragma once

#include "options/exit_status.hpp"

#include <gdsim/record/run_record.hpp>

#include <string>

namespace gdsim::cli {

/// Returns the exit status for a run. Writes a message to standard error if the run did not complete.
ExitStatus report_end(const std::string& name, const RunRecord& record);

}  // namespace gdsim::cli
