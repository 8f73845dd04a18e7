#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace gdsim::testing {

/// The result of a program.
struct Ran {
  int status = 0;  ///< its exit status; 128 + the signal that ended it
  std::string out;
  std::string err;
};

/// Runs a program by its path, with NAME=VALUE added to the environment.
Ran run_program(const std::vector<std::string>& words, const std::vector<std::string>& environment = {});

/// Runs a line of shell in which $GDSIM is the program.
Ran run_shell(const std::string& line);

/// Runs `gdsim` of this build with these words.
Ran run_gdsim(std::vector<std::string> words, const std::vector<std::string>& environment = {});

/// Returns the standard output of a call. Throws, which fails the test, if the call does not succeed.
std::string gdsim_output(const std::vector<std::string>& words);
/// Returns the standard error of a call that is refused as bad input without any output. Throws if it is not refused.
std::string gdsim_refusal(const std::vector<std::string>& words);

/// Runs `gdsim` of this build with these words. It sends itself the signal in the middle of a run.
Ran run_gdsim_until_signal(int signal, std::vector<std::string> words);

/// The outputs of a program that go to a terminal.
enum class OnTerminal : std::uint8_t { out, out_and_err };

/// Returns true if the machine has pseudo-terminals; a bare chroot without /dev/pts has none.
bool has_terminals();

/// Runs a program on a terminal. `out` is all text that the terminal was sent, with line ends as programs write them.
Ran run_on_terminal(const std::string& program, std::vector<std::string> words, OnTerminal which,
                    const std::vector<std::string>& environment = {});
/// Runs `gdsim` of this build with its standard output on a terminal.
Ran run_gdsim_on_terminal(std::vector<std::string> words, const std::vector<std::string>& environment = {});

/// `gdsim` whose run pauses for 0.6 s at its first instant.
inline const std::string kSlowedGdsim = GDSIM_BINARY_ROOT "/tests/gdsim_slowed";

}  // namespace gdsim::testing
