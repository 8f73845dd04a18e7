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

/// Says where the other commands are, unless the word is a file, of which command_line() says how it is run. Returns
/// false if the word needs one of them.
bool may_go_on_with(const std::vector<gdsim::cli::Command>& commands, std::string_view word) {
  const int why = errno;
  if (gdsim::cli::is_file_to_run(word)) return true;
  std::string own;
  for (const gdsim::cli::Command& command : commands)
    own += (own.empty() ? "`" : " and `") + std::string(command.spec.name) + "`";
  const std::string text = "gdsim: this program has " + own + "; all other commands are in " +
                           gdsim::cli::path_of_all_commands().string() + ", which cannot be started (" +
                           std::strerror(why) + "): tools/build release builds it\n";
  std::fputs(text.c_str(), stderr);
  constexpr std::array<std::string_view, 6> about_itself{"", "help", "--help", "-h", "--version", "-V"};
  return std::find(about_itself.begin(), about_itself.end(), word) != about_itself.end();
}

}  // namespace

int main(int argc, char** argv) {
  using namespace gdsim::cli;
  const std::vector<Command> commands = first_commands();
  const std::string_view word = argc > 1 ? argv[1] : "";
  if (std::none_of(commands.begin(), commands.end(), [&](const Command& own) { return own.spec.name == word; })) {
    setenv(kVersionOfStarter, version_text().c_str(), 1);
    execv(path_of_all_commands().c_str(), argv);  // returns only if that fails
    if (!may_go_on_with(commands, word)) return static_cast<int>(ExitStatus::bad_input);
  }
  gdsim::InternalRunOptions options;
  options.stop = watch_for_interruption();
  return command_line(argc, argv, commands, options);
}
