#include <gdsim/explain/arithmetic_floor.hpp>

#include <gdsim/device/clock_schedule.hpp>
#include <gdsim/program/instruction_cycles.hpp>
#include <gdsim/program/work_amounts.hpp>
#include <gdsim/workload/launched_kernels.hpp>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace gdsim {
namespace {

/// Returns true if the kernel's work-groups need no less than its programs say, as far as is known without simulation.
bool is_bounded(const Kernel& kernel) {
  const Variation& variation = kernel.variation;
  return !variation.draw && variation.factors.empty() && !variation.first_wave && !kernel.has_smaller_groups();
}

/// Returns true if the run begins at time 0.
bool begins_at_once(const Workload& workload) {
  return std::any_of(workload.launches.begin(), workload.launches.end(),
                     [](const Launch& launch) { return launch.parent() == nullptr && launch.at == SimTime{}; });
}

}  // namespace

std::optional<Duration> arithmetic_floor(const Scenario& scenario) {
  const DeviceSpec& device = scenario.device;
  if (!device.clock) return std::nullopt;
  const auto& kernels = scenario.workload.kernels;
  std::vector<std::uint64_t> launched(kernels.size(), 0);
  for (const Launch& launch : scenario.workload.launches)
    if (launch.is_kernel() && launch.parent() == nullptr) ++launched[index_of(launch.as_kernel().kernel)];
  SharersOfTiles not_counted;  // a launch may find no tile in a list that others share
  for (const std::string& list : shared_tile_lists(scenario.workload)) not_counted[list] = 0;
  std::map<std::uint32_t, UInt128> by_pipe;
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    if (launched[i] == 0 || !is_bounded(kernels[i])) continue;
    WorkAmounts amounts = work_amounts(kernels[i], device, not_counted);
    amounts.cycles[kIssueSlots] -= amounts.slots_without_kinds;
    amounts.cycles.erase(kL1Pipe);
    for (const auto& [pipe, cycles] : amounts.cycles) by_pipe[pipe] += launched[i] * cycles;
  }
  UInt128 millionths = 0;
  for (const auto& [pipe, cycles] : by_pipe) millionths = std::max(millionths, cycles);
  if (millionths == 0) return std::nullopt;
  const UInt128 engines = UInt128{device.cores} * device.engines_per_core;
  const auto length_at = [&](Hertz clock) {
    return resolve({Decimal{millionths / engines, -6}, StepTime::Unit::cycles}, clock, Decimal::whole(1));
  };
  const auto [lowest, highest] = clock_range(device);
  if (!length_at(lowest)) return std::nullopt;
  if (device.power || !begins_at_once(scenario.workload)) return length_at(highest);
  const ClockSchedule clocks(device);
  return clocks.end(SimTime{}, [&](std::size_t number) { return *length_at(clocks.clock(number)); }) - SimTime{};
}

}  // namespace gdsim
