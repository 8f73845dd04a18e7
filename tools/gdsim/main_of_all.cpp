#include "command_line.hpp"
#include "terminal/program.hpp"

#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

/// Warns if `gdsim`, which became this program, is of another version.
void compare_with_starter() {
  const char* const starter = std::getenv(gdsim::cli::kVersionOfStarter);
  const std::string own = gdsim::cli::version_text();
  if (starter != nullptr && own != starter) {
    const std::string text = "gdsim: gdsim-all beside it is another version: " + own + ", not " + starter +
                             "; tools/build release builds both\n";
    std::fputs(text.c_str(), stderr);
  }
  unsetenv(gdsim::cli::kVersionOfStarter);
}

}  // namespace

int main(int argc, char** argv) {
  compare_with_starter();
  gdsim::InternalRunOptions options;
  options.stop = gdsim::cli::watch_for_interruption();
  return gdsim::cli::command_line(argc, argv, gdsim::cli::all_commands(), options);
}
