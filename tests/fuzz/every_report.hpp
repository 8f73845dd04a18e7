#pragma once

#include "cases/case_run.hpp"

#include <string>

namespace gdsim::fuzz {

/// Everything that a run writes: each format, the text, the charts, samples, picture and page.
std::string every_report(const cli::CaseRun& run);

/// What the CSV tables and the summary say, which must not depend on how the run was computed.
std::string tables_of(const cli::CaseRun& run);

}  // namespace gdsim::fuzz
