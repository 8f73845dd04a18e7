#pragma once

#include <gdsim/analysis/run_report.hpp>

#include <string>

namespace gdsim {

/// A table of kernels and of copies: launches, the sum of their times from first dispatch to end, mean occupancy during
/// these times, and what else than predecessors they waited for longest.
std::string kernels_text(const RunReport& report);

/// A run for a person: what ran where, its phases (threads first, then percent), and after a deadlock, which threads
/// wait for what.
std::string run_text(const RunReport& report);

}  // namespace gdsim
