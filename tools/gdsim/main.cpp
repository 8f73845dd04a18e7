#include "command_line.hpp"
#include "terminal/program.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

// `gdsim` is quick to build: it has few commands, and becomes `gdsim-all`, which lies beside it, for all others.

namespace {

/// Says where the other commands are, and that they cannot be started because of `error`, an errno.
void report_missing_commands(const std::vector<gdsim::cli::Command>& commands, int error) {
  std::string names;
  for (const gdsim::cli::Command& command : commands)
    names += (names.empty() ? "`" : " and `") + std::string(command.spec.name) + "`";
  const std::string text = "gdsim: this program has " + names + "; all other commands are in " +
                           gdsim::cli::path_of_all_commands().string() + ", which cannot be started (" +
                           std::strerror(error) + "): tools/build release builds it\n";
  std::fputs(text.c_str(), stderr);
}

/// Returns true if the word asks for what this program says of itself, or nothing.
bool is_about_itself(std::string_view word) {
  constexpr std::array<std::string_view, 6> about_itself{"", "help", "--help", "-h", "--version", "-V"};
  return std::find(about_itself.begin(), about_itself.end(), word) != about_itself.end();
}

}  // namespace

int main(int argc, char** argv) {
  using namespace gdsim::cli;
  const std::vector<Command> commands = first_commands();
  const std::string_view word = argc > 1 ? argv[1] : "";
  if (std::none_of(commands.begin(), commands.end(),
                   [&](const Command& command) { return command.spec.name == word; })) {
    setenv(kVersionOfStarter, version_text().c_str(), 1);
    execv(path_of_all_commands().c_str(), argv);  // returns only if that fails
    const int error = errno;
    // Of a file, command_line() says how it is run.
    if (!is_file_to_run(word)) {
      report_missing_commands(commands, error);
      if (!is_about_itself(word)) return static_cast<int>(ExitStatus::bad_input);
    }
  }
  gdsim::InternalRunOptions options;
  options.stop = watch_for_interruption();
  return command_line(argc, argv, commands, options);
}
