#include <gdsim/counterfactual/program_change.hpp>

#include <gdsim/device/clock_schedule.hpp>
#include <gdsim/program/instruction_cycles.hpp>
#include <gdsim/program/program_plan.hpp>
#include <gdsim/program/work_amounts.hpp>
#include <gdsim/workload/launched_kernels.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <vector>

namespace gdsim {
namespace {

constexpr int kDigits = 6;  // after the decimal point
constexpr double kUnit = 1e6;

Decimal decimal_of(double value) { return {static_cast<UInt128>(std::max(1.0, std::round(value * kUnit))), -kDigits}; }
std::uint64_t count_of(double value) { return static_cast<std::uint64_t>(std::max(1.0, std::round(value))); }

/// One step of all programs, and by program the number of its executions: the number of work-groups times the
/// iterations of the loops around it. The mean is executed `all` times.
struct SideBySide {
  std::vector<const Step*> steps;
  const std::vector<double>& executed;
  double all;

  template <class Amount>
  double mean(Amount amount) const {
    double sum = 0;
    for (std::size_t i = 0; i < steps.size(); ++i) sum += executed[i] * amount(*steps[i]);
    return sum / all;
  }
  template <class Nested>
  std::vector<const Program*> bodies() const {
    std::vector<const Program*> bodies;
    for (const Step* step : steps) bodies.push_back(&std::get<Nested>(*step).body);
    return bodies;
  }
};

Program mean_of(const std::vector<const Program*>& programs, const std::vector<double>& executed, double all);

void set_mean(Loop& loop, const SideBySide& side) {
  std::vector<double> iterations(side.executed);
  for (std::size_t i = 0; i < iterations.size(); ++i)
    iterations[i] *= static_cast<double>(std::get<Loop>(*side.steps[i]).count);
  const double count =
      std::ceil(side.mean([](const Step& step) { return static_cast<double>(std::get<Loop>(step).count); }));
  loop.count = static_cast<std::uint64_t>(count);
  if (loop.count > 0) loop.body = mean_of(side.bodies<Loop>(), iterations, side.all * count);
}

/// Sets the access of this number in the step to the mean.
void set_mean(L1Access& mean, std::size_t number, const SideBySide& side) {
  const auto mean_of_lines = [&](auto lines_of) {
    return count_of(side.mean(
        [&](const Step& step) { return static_cast<double>(lines_of(std::get<IssueSlots>(step).l1[number])); }));
  };
  mean.lines = mean_of_lines([](const L1Access& access) { return access.lines; });
  if (mean.excess_sectors > 0)
    mean.excess_sectors = mean_of_lines([](const L1Access& access) { return access.excess_sectors; });
  if (mean.coalesced)
    mean.coalesced = std::min(mean.lines, mean_of_lines([](const L1Access& access) { return *access.coalesced; }));
}

void set_mean(Step& mean, const SideBySide& side) {
  if (auto* compute = std::get_if<Compute>(&mean))
    compute->time.amount =
        decimal_of(side.mean([](const Step& step) { return approximate(std::get<Compute>(step).time.amount); }));
  if (auto* issue = std::get_if<IssueSlots>(&mean)) {
    issue->slots.amount =
        decimal_of(side.mean([](const Step& step) { return approximate(std::get<IssueSlots>(step).slots.amount); }));
    for (std::size_t kind = 0; kind < issue->by_kind.size(); ++kind)
      issue->by_kind[kind].count = count_of(side.mean(
          [&](const Step& step) { return static_cast<double>(std::get<IssueSlots>(step).by_kind[kind].count); }));
    for (std::size_t access = 0; access < issue->l1.size(); ++access) set_mean(issue->l1[access], access, side);
  }
  if (auto* memory = std::get_if<Memory>(&mean))
    memory->bytes.count = static_cast<std::int64_t>(
        count_of(side.mean([](const Step& step) { return static_cast<double>(std::get<Memory>(step).bytes.count); })));
  if (auto* slm = std::get_if<Slm>(&mean))
    slm->accesses =
        count_of(side.mean([](const Step& step) { return static_cast<double>(std::get<Slm>(step).accesses); }));
  if (auto* atomic = std::get_if<Atomic>(&mean))
    atomic->accesses =
        count_of(side.mean([](const Step& step) { return static_cast<double>(std::get<Atomic>(step).accesses); }));
  if (auto* only = std::get_if<Only>(&mean)) only->body = mean_of(side.bodies<Only>(), side.executed, side.all);
  if (auto* loop = std::get_if<Loop>(&mean)) set_mean(*loop, side);
}

Program mean_of(const std::vector<const Program*>& programs, const std::vector<double>& executed, double all) {
  Program mean = *programs.front();
  for (std::size_t at = 0; at < mean.size(); ++at) {
    SideBySide side{{}, executed, all};
    for (const Program* program : programs) side.steps.push_back(&(*program)[at]);
    set_mean(mean[at], side);
  }
  return mean;
}

}  // namespace

Program mean_program(const Kernel& kernel) {
  std::vector<const Program*> programs;
  for (std::size_t i = 0; i < kernel.program_count(); ++i) programs.push_back(&kernel.program_of(i));
  std::vector<double> executed(programs.size(), 0);
  for (const std::uint32_t number : kernel.group_programs.of_group) executed[number] += 1;
  return mean_of(programs, executed, static_cast<double>(kernel.group_programs.of_group.size()));
}

namespace {

constexpr double kPicosecondsPerSecond = 1e12;

class Length {
 public:
  Length(const Kernel& kernel, const DeviceSpec& device) : kernel_(kernel), device_(device) {
    if (!device.memory) return;
    double bandwidth = std::numeric_limits<double>::infinity();
    for (const MemoryLevel& level : device.memory->levels)
      if (level.bandwidth) bandwidth = std::min(bandwidth, static_cast<double>(level.bandwidth->count));
    const double contexts = static_cast<double>(device.cores) * static_cast<double>(device.contexts_per_core());
    per_byte_ = contexts * kPicosecondsPerSecond / bandwidth;
  }

  double length_of(const Program& program) const {
    double sum = 0;
    for (const Step& step : program)
      sum += std::visit([this](const auto& one) { return length_of(one); }, variant_of(step));
    return sum;
  }

 private:
  static const Step::variant& variant_of(const Step& step) { return step; }

  double length_of(const StepTime& time) const {
    const auto span = resolve(time, clock_of(device_), Decimal::whole(1));
    return span ? static_cast<double>(span->count) : 0;
  }
  double cycles(std::uint64_t count) const {
    return length_of(StepTime{Decimal::whole(count), StepTime::Unit::cycles});
  }

  double length_of(const Compute& step) const { return length_of(step.time); }
  double length_of(const IssueSlots& step) const {
    const double issued =
        length_of(step.by_kind.empty() ? step.slots : longest_work_of(step.by_kind, device_, kernel_));
    return step.l1.empty() ? issued : std::max(issued, length_of(l1_cycles_of(step.l1, *device_.l1)));
  }
  double length_of(const Memory& step) const { return static_cast<double>(step.bytes.count) * per_byte_; }
  double length_of(const Slm& step) const { return cycles(step.accesses); }
  double length_of(const Atomic& step) const { return cycles(step.accesses); }
  double length_of(const Loop& step) const { return static_cast<double>(step.count) * length_of(step.body); }
  double length_of(const Only& step) const { return length_of(step.body); }
  /// Returns the length of a work-group's part of the tiles, if all take the same number.
  double length_of(const Tiles& step) const {
    const std::vector<std::uint64_t> tiles = tiles_by_body(step);
    double sum = 0;
    for (std::size_t body = 0; body < tiles.size(); ++body)
      sum += static_cast<double>(tiles[body]) * length_of(step.body_of(body));
    return sum / static_cast<double>(kernel_.range.group_count());
  }
  template <class Other>
  double length_of(const Other&) const {
    return 0;
  }

  const Kernel& kernel_;
  const DeviceSpec& device_;
  double per_byte_ = 0;
};

}  // namespace

double estimated_length(const Program& program, const Kernel& kernel, const DeviceSpec& device) {
  return Length(kernel, device).length_of(program);
}

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
    amounts.cycles.erase(kSlmPipe);
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
