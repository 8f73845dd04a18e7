#pragma once

#include <gdsim/analysis/run_report.hpp>

#include <string>

namespace gdsim {

/// The first that holds of a completed run, in a sentence with numbers: no thread is resident for half of a run with
/// several launches; a wait that takes half of the threads' time; less than three quarters of what fits are
/// resident on average, though there are work-groups for four waves; a last wave in which a twentieth of what the
/// kernel that lasted longest could use stays unused (unused_of()), a limiter that leaves its cores partly empty, a
/// wait that takes a twentieth of the threads' time. All of it is known without another run. Empty if none holds.
std::string first_finding(const RunReport& report);

}  // namespace gdsim
