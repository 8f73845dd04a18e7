#pragma once

#include "exit_status.hpp"

#include <gdsim/record/run_record.hpp>
#include <gdsim/run/simulate.hpp>

#include <string>

namespace gdsim::cli {

/// What the end of a run means for the exit status. Where it did not complete, standard error is told, too; `options`
/// are those that it ran with.
ExitStatus tell_end(const std::string& name, const RunRecord& record, const RunOptions& options);

}  // namespace gdsim::cli
