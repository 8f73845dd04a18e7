#include "oracle/naive.hpp"

#include "oracle/instants.hpp"
#include "oracle/power.hpp"
#include "oracle/processes.hpp"
#include "oracle/recording.hpp"
#include "oracle/slack.hpp"

#include <utility>

namespace gdsim::oracle {
namespace {

/// A run under the clocks that the device has at given times: its tables, its held contexts, and its end.
struct GivenClocksRun {
  Tables tables;
  std::vector<DeviceRow> rows;
  Time end = 0;
};

GivenClocksRun run_under_given_clocks(const DeviceSpec& device, const DispatchRules& rules, const Workload& workload) {
  World world{device, rules, workload};
  prepare(world);
  Recording recording;
  while (!is_over(world)) {
    const auto next = next_instant(world);
    if (!next) break;
    come_to(world, *next);
    recording.time_passes(world.now, {&world});
    while (one_thing_happens(world)) world.end = world.now;
    recording.take_down(world.now, {&world});
  }
  if (is_over(world)) mark_critical(world, world.end);
  return {recording.tables(world, {&world}), recording.device_rows(), world.end};
}

}  // namespace

Tables naive_run(const DeviceSpec& device, const DispatchRules& rules, const Workload& workload) {
  if (rules.preemption) return run_of_processes(device, rules, workload);
  DeviceSpec given = device;
  given.power.reset();
  while (true) {
    GivenClocksRun run = run_under_given_clocks(given, rules, workload);
    if (!device.power) return std::move(run.tables);
    const auto change = first_missing_change(*device.power, given, run.rows, run.end);
    if (!change) return std::move(run.tables);
    given.clock_changes.push_back(*change);
  }
}

}  // namespace gdsim::oracle
