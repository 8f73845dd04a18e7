#include "command_line.hpp"
#include "first_commands.hpp"
#include "options/exit_status.hpp"
#include "terminal/interruption.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

// `gdsim` is quick to build: it has few commands, and becomes `gdsim-all`, which lies beside it, for all others.

namespace {

/// Returns only if there is no gdsim-all beside this program.
void become_gdsim_all(char** argv) {
  std::error_code unknown;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", unknown).parent_path() / "gdsim-all";
  execv(program.c_str(), argv);
}

/// Says that there is more than these commands. Returns false if it cannot go on with them.
bool may_go_on_with(const std::vector<gdsim::cli::Command>& commands, std::string_view word) {
  std::string own;
  for (const gdsim::cli::Command& command : commands) own += " `" + std::string(command.spec.name) + "`";
  const std::string text =
      "gdsim: only" + own + " are built so far; all other commands are built by: tools/build release\n";
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
    become_gdsim_all(argv);
    if (!may_go_on_with(commands, word)) return static_cast<int>(ExitStatus::bad_input);
  }
  gdsim::InternalRunOptions options;
  options.stop = watch_for_interruption();
  return command_line(argc, argv, commands, options);
}
