#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>

namespace gdsim::cli {

/// The version alone: `0.4.0`.
const char* version_number();

/// What `gdsim --version` prints: `gdsim 0.4.0 (commit 1a2b3c4d5e6f)`; `-modified` after the commit means that the
/// sources differed from it. The commit is missing if the sources were not in a Git repository.
std::string version_text();

/// The environment variable by which `gdsim` passes its version_text() to the `gdsim-all` that it starts.
inline constexpr const char* kVersionOfStarter = "GDSIM_VERSION_OF_STARTER";

/// Returns where the program `gdsim` looks for the other commands: `gdsim-all` beside it.
std::filesystem::path path_of_all_commands();

/// Returns true if this is the program `gdsim`, and the other commands are not beside it.
bool lacks_other_commands();

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

/// The command line cannot be understood. Printed with a pointer to --help; exit status 2.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace gdsim::cli
