#include "command_line.hpp"

#include "options/command.hpp"

namespace gdsim::cli {
namespace {

Command grouped(std::string_view group, Command command) {
  command.spec.group = group;
  return command;
}

}  // namespace

std::vector<Command> all_commands() {
  return {grouped(kSeeWhatHappens, run_command()),
          grouped(kMakeItFaster, explain_command()),
          grouped(kMakeItFaster, sweep_command()),
          grouped(kMakeItFaster, diff_command()),
          grouped(kSeeWhatHappens, report_command()),
          grouped(kCheckIt, compare_command()),
          grouped(kCheckIt, check_command()),
          grouped(kLookUp, occupancy_command()),
          grouped(kCheckIt, infer_command()),
          grouped(kCheckIt, calibrate_command()),
          grouped(kLookUp, import_command()),
          grouped(kLookUp, devices_command()),
          grouped(kLookUp, probe_model_command()),
          grouped(kSeeWhatHappens, serve_command()),
          grouped(kLookUp, mcp_command()),
          grouped(kLookUp, completion_command())};
}

}  // namespace gdsim::cli
