#include "support/process.hpp"
#include "support/texts.hpp"

#include <command_line.hpp>

#include <catch2/catch.hpp>

#include <algorithm>

// Help is read on a screen.

using namespace gdsim::testing;

namespace {

struct Screen {
  std::size_t lines = 0;
  std::size_t columns = 0;
};

Screen screen_of(const std::string& text) {
  Screen screen;
  for (const std::string& line : lines_of(text)) {
    ++screen.lines;
    screen.columns = std::max(screen.columns, line.size());
  }
  return screen;
}

}  // namespace

TEST_CASE("the list of commands fits on a screen of 40 lines and 80 columns, help on a run on one of 100 columns") {
  const Screen list = screen_of(run_gdsim({"help"}).out);
  CHECK(list.lines <= 40);
  CHECK(list.columns <= 80);
  const Screen run = screen_of(run_gdsim({"help", "run"}).out);
  CHECK(run.lines <= 40);
  CHECK(run.columns <= 100);
}

TEST_CASE("help on every command fits into 100 columns, and says every option once, below what one wants to do with it",
          "[figures]") {
  for (const gdsim::cli::Command& command : gdsim::cli::all_commands()) {
    INFO(command.spec.name);
    const std::string help = run_gdsim({"help", std::string(command.spec.name)}).out;
    CHECK(screen_of(help).columns <= 100);
    CHECK_FALSE(command.spec.group.empty());
    std::size_t options = 0;
    for (const gdsim::cli::OptionGroup& group : gdsim::cli::option_groups(command.spec)) {
      CHECK(help.find("\n\n" + std::string(group.heading) + ":\n") != std::string::npos);
      options += group.options.size();
    }
    CHECK(options == command.spec.options.size() + gdsim::cli::common_options().size());
  }
}
