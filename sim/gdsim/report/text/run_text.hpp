#pragma once

#include <gdsim/analysis/run_report.hpp>

#include <string>

namespace gdsim {

/// A run for a person: what ran where, its phases (threads first, then percent), and after a deadlock, which threads
/// wait for what.
std::string run_text(const RunReport& report);

}  // namespace gdsim
