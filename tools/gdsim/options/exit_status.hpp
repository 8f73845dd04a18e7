#pragma once

namespace gdsim::cli {

/// The exit status of the process; part of the user's contract.
enum class ExitStatus : int {
  done = 0,
  expectation_missed = 1,
  bad_input = 2,
  stalled = 3,
  defect = 70,
  interrupted = 130,
};

/// What the program's exit status means.
inline constexpr const char* kExitStatusHelp =
    "0 done, 1 an expectation was missed, 2 bad input, 3 the run\n"
    "deadlocked, 130 interrupted, 70 a defect of gdsim.";

/// Returns the worse of two: 70 > 130 > 2 > 3 > 1 > 0.
ExitStatus worse(ExitStatus a, ExitStatus b);

}  // namespace gdsim::cli
