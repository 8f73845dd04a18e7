#include "command_line.hpp"

// gdsim with an injected defect: the third release is not booked on its core. The check of conservation must find it.
int main(int argc, char** argv) {
  gdsim::InternalRunOptions options;
  options.faults.lost_release = 2;
  return gdsim::cli::command_line(argc, argv, gdsim::cli::all_commands(), options);
}
