#include "command_catalog.hpp"
#include "command_line.hpp"
#include "terminal/interruption.hpp"

int main(int argc, char** argv) {
  gdsim::InternalRunOptions options;
  options.stop = gdsim::cli::watch_for_interruption();
  return gdsim::cli::command_line(argc, argv, gdsim::cli::all_commands(), options);
}
