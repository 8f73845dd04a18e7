#include "first_commands.hpp"

#include "options/command.hpp"

namespace gdsim::cli {

std::vector<Command> first_commands() {
  std::vector<Command> commands{run_command(), devices_command()};
  commands[0].spec.group = kSeeWhatHappens;
  commands[1].spec.group = kLookUp;
  return commands;
}

}  // namespace gdsim::cli
