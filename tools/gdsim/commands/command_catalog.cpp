#include "commands/command_catalog.hpp"

#include "commands/check_command.hpp"
#include "commands/compare_command.hpp"
#include "commands/diff_command.hpp"
#include "commands/explain_command.hpp"
#include "commands/first_commands.hpp"
#include "commands/import_command.hpp"
#include "commands/occupancy_command.hpp"
#include "commands/report_command.hpp"
#include "commands/sweep_command.hpp"
#include "devices/devices_command.hpp"
#include "inference/calibrate_command.hpp"
#include "inference/infer_command.hpp"
#include "inference/probe_model_command.hpp"
#include "run/run_command.hpp"
#include "serve/serve_command.hpp"

namespace gdsim::cli {
namespace {

Command grouped(std::string_view group, Command command) {
  command.spec.group = group;
  return command;
}

}  // namespace

std::vector<Command> all_commands() {
  return {grouped(kSeeWhatHappens, run_command()),    grouped(kMakeItFaster, explain_command()),
          grouped(kMakeItFaster, sweep_command()),    grouped(kMakeItFaster, diff_command()),
          grouped(kSeeWhatHappens, report_command()), grouped(kCheckIt, compare_command()),
          grouped(kCheckIt, check_command()),         grouped(kLookUp, occupancy_command()),
          grouped(kCheckIt, infer_command()),         grouped(kCheckIt, calibrate_command()),
          grouped(kLookUp, import_command()),         grouped(kLookUp, devices_command()),
          grouped(kLookUp, probe_model_command()),    grouped(kSeeWhatHappens, serve_command())};
}

}  // namespace gdsim::cli
