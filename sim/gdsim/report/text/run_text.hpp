#pragma once

#include <gdsim/analysis/run_report.hpp>

#include <string>

namespace gdsim {

/// A run for a person: what ran where, its phases, threads first and percent second, and what waits for
/// what if it stalled.
std::string run_text(const RunReport& report);

}  // namespace gdsim
