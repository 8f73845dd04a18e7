#pragma once

#include "options/exit_status.hpp"

#include <gdsim/record/run_record.hpp>

#include <string>

namespace gdsim::cli {

/// What the end of a run means for the exit status. If it did not complete, a message goes to standard error.
ExitStatus report_end(const std::string& name, const RunRecord& record);

}  // namespace gdsim::cli
