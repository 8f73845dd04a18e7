#include "command_catalog.hpp"

#include "check_command.hpp"
#include "compare_command.hpp"
#include "devices_command.hpp"
#include "diff_command.hpp"
#include "explain_command.hpp"
#include "import_command.hpp"
#include "occupancy_command.hpp"
#include "report_command.hpp"
#include "run_command.hpp"
#include "sweep_command.hpp"

namespace gdsim::cli {

std::vector<Command> all_commands() {
  return {run_command(),     explain_command(), sweep_command(),     diff_command(),   report_command(),
          compare_command(), check_command(),   occupancy_command(), import_command(), devices_command()};
}

}  // namespace gdsim::cli
