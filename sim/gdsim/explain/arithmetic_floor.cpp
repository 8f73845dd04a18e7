#include <gdsim/explain/arithmetic_floor.hpp>

#include <gdsim/device/clock_schedule.hpp>
#include <gdsim/program/instruction_cycles.hpp>
#include <gdsim/workload/shared_tile_lists.hpp>

#include <algorithm>
#include <set>
#include <string>
#include <variant>
#include <vector>

namespace gdsim {
namespace {

constexpr std::uint64_t kMillion = 1'000'000;

/// By thread of one work-group: true if it executes a part of the program.
using Threads = std::vector<bool>;

Threads within(const Threads& threads, const std::vector<ThreadRange>& ranges) {
  Threads chosen(threads.size(), false);
  for (const ThreadRange& range : ranges)
    for (std::size_t i = range.first; i <= range.last && i < threads.size(); ++i) chosen[i] = threads[i];
  return chosen;
}

/// Sums up the cycles for which instructions by kind occupy engines, in millionths.
class InstructionSum {
 public:
  InstructionSum(const DeviceSpec& device, const Kernel& kernel) : device_(device), kernel_(kernel) {}

  /// Returns the sum of all tiles of a list.
  UInt128 of_tiles(const Tiles& tiles) const {
    const Threads threads(tiles.per == TileTaker::thread ? 1 : kernel_.threads_per_work_group(), true);
    const std::vector<std::uint64_t> counts = tiles_by_body(tiles);
    UInt128 sum = 0;
    for (std::size_t body = 0; body < counts.size(); ++body) sum += counts[body] * of(tiles.body_of(body), threads);
    return sum;
  }

  /// Returns the sum of one work-group, without tiles: a launch has these once, not once for each work-group.
  UInt128 of(const Program& program, const Threads& threads) const {
    UInt128 sum = 0;
    for (const Step& step : program) {
      if (const auto* issue = std::get_if<IssueSlots>(&step)) sum += of(*issue, threads);
      if (const auto* loop = std::get_if<Loop>(&step)) sum += loop->count * of(loop->body, threads);
      if (const auto* only = std::get_if<Only>(&step)) sum += of(only->body, within(threads, only->threads));
    }
    return sum;
  }

 private:
  UInt128 of(const IssueSlots& issue, const Threads& threads) const {
    if (issue.by_kind.empty()) return 0;
    const Decimal cycles = cycles_of(issue.by_kind, device_, kernel_.sub_group).amount;
    const auto millionths = round_product({cycles, Decimal::whole(kMillion)});
    const auto count = static_cast<std::uint64_t>(std::count(threads.begin(), threads.end(), true));
    return millionths ? static_cast<UInt128>(*millionths) * count : 0;
  }

  const DeviceSpec& device_;
  const Kernel& kernel_;
};

/// Returns true if the kernel's work-groups need no less than its programs say, as far as is known without simulation.
bool is_bounded(const Kernel& kernel) {
  const Variation& variation = kernel.variation;
  return !variation.draw && variation.factors.empty() && !variation.first_wave && !kernel.has_smaller_groups();
}

/// Returns the number of work-groups with each program of the kernel.
std::vector<std::uint64_t> groups_by_program(const Kernel& kernel) {
  std::vector<std::uint64_t> counts(kernel.program_count(), 0);
  if (kernel.differs_by_group()) {
    for (const std::uint32_t number : kernel.group_programs.of_group) ++counts[number];
  } else {
    counts[0] = kernel.range.group_count();
  }
  return counts;
}

/// Returns the sum of all work-groups of the kernel. Lists in `shared` are not counted: a launch may find no tile in
/// them.
UInt128 sum_of(const Kernel& kernel, const DeviceSpec& device, const std::set<std::string>& shared) {
  UInt128 sum = 0;
  const std::vector<std::uint64_t> groups = groups_by_program(kernel);
  const InstructionSum instructions(device, kernel);
  const Threads all(kernel.threads_per_work_group(), true);
  for (std::size_t number = 0; number < groups.size(); ++number)
    if (groups[number] > 0) sum += groups[number] * instructions.of(kernel.program_of(number), all);
  for (const Step& step : kernel.program)
    if (const auto* tiles = std::get_if<Tiles>(&step); tiles != nullptr && !shared.contains(tiles->list))
      sum += instructions.of_tiles(*tiles);
  return sum;
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
  UInt128 millionths = 0;
  const std::set<std::string> shared = shared_tile_lists(scenario.workload);
  for (std::size_t i = 0; i < kernels.size(); ++i)
    if (launched[i] > 0 && is_bounded(kernels[i])) millionths += launched[i] * sum_of(kernels[i], device, shared);
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
