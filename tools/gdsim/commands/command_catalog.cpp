#include "commands/command_catalog.hpp"

#include "commands/check_command.hpp"
#include "commands/compare_command.hpp"
#include "commands/devices_command.hpp"
#include "commands/diff_command.hpp"
#include "commands/explain_command.hpp"
#include "commands/import_command.hpp"
#include "commands/occupancy_command.hpp"
#include "commands/report_command.hpp"
#include "commands/run_command.hpp"
#include "commands/sweep_command.hpp"
#include "inference/calibrate_command.hpp"
#include "inference/infer_command.hpp"

namespace gdsim::cli {

std::vector<Command> all_commands() {
  return {run_command(),    explain_command(), sweep_command(),     diff_command(),
          report_command(), compare_command(), check_command(),     occupancy_command(),
          import_command(), infer_command(),   calibrate_command(), devices_command()};
}

}  // namespace gdsim::cli
