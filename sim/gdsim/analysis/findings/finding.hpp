#pragma once

#include <gdsim/analysis/run_report.hpp>

#include <string>

namespace gdsim {

/// Returns the first finding that applies to a completed run, as a sentence with numbers: nothing but links is busy for
/// half of the run; no thread is resident for half of a run with several launches; a wait takes half of the threads'
/// time; less than three quarters of what fits is resident on average, though there are work-groups for four waves;
/// for the kernel that lasted longest, a twentieth of what fits stays unused in its last wave (unused_of()), or a
/// limiter leaves its cores partly empty; a wait takes a twentieth of the threads' time. No finding needs another run.
/// Returns "" if none applies.
std::string first_finding(const RunReport& report);

}  // namespace gdsim
