#include <gdsim/import/profiles/scenario/plan_times.hpp>

#include <gdsim/base/arithmetic.hpp>
#include <gdsim/base/text.hpp>
#include <gdsim/compile/compile.hpp>
#include <gdsim/device/clock_schedule.hpp>
#include <gdsim/device/core_blocks.hpp>
#include <gdsim/dispatch/dispatch_times.hpp>
#include <gdsim/host/host_costs.hpp>
#include <gdsim/import/profiles/scenario/plan_devices.hpp>
#include <gdsim/run/internal_run_options.hpp>
#include <gdsim/run/simulate.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace gdsim {
namespace {

/// Returns true if a launch that is alone may depend on those before it.
bool depends_on_others(const DeviceSpec& device, const ProfilePlan& plan) {
  const DispatchRules& rules = device.dispatch;
  const bool takes_turns = rules.placement == "round_robin" || rules.placement == "group_round_robin" ||
                           (rules.interval && rules.interval->dispatchers != "device");
  const bool has_draws = std::any_of(plan.workload.kernels.begin(), plan.workload.kernels.end(),
                                     [](const Kernel& kernel) { return kernel.variation.draw.has_value(); });
  return clock_may_change(device) || device.submission || !rules.own_placements.empty() || has_draws ||
         (takes_turns && !has_equal_groups(device));
}

/// Returns how long a launch lasts alone, or nullopt if that is not known, because its kernel was fitted among others.
std::optional<Duration> alone(const DeviceSpec& device, const ProfilePlan& plan, std::size_t launch) {
  const Launch& planned = plan.workload.launches[launch];
  if (planned.is_copy()) return duration_of(planned.as_copy(), device.copy.value_or(CopyRule{}));
  const PlannedKernel& kernel = plan.kernels[index_of(planned.as_kernel().kernel)];
  if (kernel.is_fitted_among_others) return std::nullopt;
  return kernel.work ? kernel.fitted_work.lasts : kernel.fitted.lasts;
}

/// Finds the time from which a launch no longer affects its device.
class Rest {
 public:
  Rest(const DeviceSpec& device, const ProfilePlan& plan)
      : plan_(plan), times_(device, device.dispatch), recovery_(recovery_of(device)), cost_(launch_cost_of(device)) {}

  /// Returns that time for a launch with this begin and duration. The cost of the next launch, which passes before it
  /// places a work-group, is subtracted.
  SimTime after(std::size_t launch, SimTime begun, Duration lasts) const {
    const Launch& planned = plan_.workload.launches[launch];
    if (!planned.is_kernel()) return begun + lasts;
    const auto threads = static_cast<std::uint32_t>(plan_.workload.kernel_of(planned).threads_per_work_group());
    const Duration busy = times_.end_of_busy(SimTime{}, threads, 1) - SimTime{};
    return begun + lasts + std::max(std::max(recovery_, busy) - cost_, Duration{});
  }

 private:
  const ProfilePlan& plan_;
  DispatchTimes times_;
  Duration recovery_;
  Duration cost_;
};

/// Appends what may change about a launch while the plan is adjusted: two versions of it with the same key are equal.
void add_key(const ProfilePlan& plan, std::size_t launch, std::vector<std::int64_t>& key) {
  const Launch& planned = plan.workload.launches[launch];
  key.push_back(planned.at.count);
  key.push_back(static_cast<std::int64_t>(plan.launches[launch].row));
  if (planned.is_kernel()) key.push_back(plan.kernels[index_of(planned.as_kernel().kernel)].fitted.compute.count);
}

/// Returns a workload of these launches and their kernels.
Workload part_of(const Workload& workload, std::size_t first, std::size_t last) {
  Workload part;
  part.queues = workload.queues;
  std::map<KernelId, KernelId> numbers;
  for (std::size_t i = first; i < last; ++i) {
    Launch& launch = part.launches.emplace_back(workload.launches[i]);
    if (!launch.is_kernel()) continue;
    KernelId& kernel = launch.as_kernel().kernel;
    const auto [known, is_new] = numbers.emplace(kernel, KernelId{static_cast<std::uint32_t>(part.kernels.size())});
    if (is_new) part.kernels.push_back(workload.kernels[index_of(kernel)]);
    kernel = known->second;
  }
  return part;
}

}  // namespace

std::vector<std::size_t> busy_periods(const DeviceSpec& device, const ProfilePlan& plan) {
  if (depends_on_others(device, plan)) return {0};
  const Rest rest(device, plan);
  std::vector<std::size_t> periods;
  SimTime busy_until{};
  for (std::size_t i = 0; i < plan.launches.size(); ++i) {
    const SimTime at = plan.workload.launches[i].at;
    if (periods.empty() || at >= busy_until) periods.push_back(i);
    const Duration lasts = std::max(*plan.launches[i].duration, alone(device, plan, i).value_or(Duration{}));
    busy_until = std::max(busy_until, rest.after(i, at, lasts));
  }
  return periods;
}

std::vector<LaunchTimes> PlanSimulator::times_of(const ProfilePlan& plan, Reaching reaching) {
  const Rest rest(device_, plan);
  const std::vector<std::size_t> periods = busy_periods(device_, plan);
  Times all;
  for (std::size_t next = 0; next < periods.size();) {
    const std::size_t first = periods[next];
    Times times;
    bool is_over = false;
    while (!is_over) {  // until nothing of it reaches into the next period
      const std::size_t last = ++next < periods.size() ? periods[next] : plan.launches.size();
      times = period(plan, first, last);
      SimTime busy_until{};
      for (std::size_t i = first; i < last; ++i)
        busy_until =
            std::max(busy_until, rest.after(i, times[i - first].begun.value_or(SimTime{}), times[i - first].duration));
      is_over = reaching == Reaching::ignored || last == plan.launches.size() ||
                busy_until <= plan.workload.launches[last].at;
    }
    all.insert(all.end(), times.begin(), times.end());
  }
  return all;
}

PlanSimulator::Times PlanSimulator::period(const ProfilePlan& plan, std::size_t first, std::size_t last) {
  if (const auto lasts = alone(device_, plan, first); lasts && last == first + 1 && !depends_on_others(device_, plan))
    return {{plan.workload.launches[first].at, *lasts}};
  std::vector<std::int64_t> key;
  for (std::size_t i = first; i < last; ++i) add_key(plan, i, key);
  const auto known = known_.find(key);
  return known != known_.end() ? known->second
                               : known_.emplace(std::move(key), simulate(plan, first, last)).first->second;
}

PlanSimulator::Times PlanSimulator::simulate(const ProfilePlan& plan, std::size_t first, std::size_t last) {
  const Workload workload = part_of(plan.workload, first, last);
  const Compilation ready = compile_in_place(device_, device_.dispatch, workload);
  if (!ready) throw_input_error(ready.issues());
  const RunResult run = stoppable_run(ready.value(), stop_);
  Times times;
  for (std::size_t i = 0; i < workload.launches.size(); ++i) {
    const LaunchRecord& record = run.record.launches[i];
    times.push_back(
        {record.begun ? std::optional<SimTime>(*record.begun) : std::nullopt, record.duration().value_or(Duration{})});
    groups_ += workload.kernel_of(workload.launches[i]).range.group_count();
  }
  return times;
}

namespace {

constexpr std::int64_t kCheckedWithin = 100;  ///< a hundredth

bool is_close(std::int64_t found, std::int64_t expected) {
  const Int128 off = found > expected ? Int128{found} - expected : Int128{expected} - found;
  return off * kCheckedWithin <= expected;
}

/// |found - expected| / expected, in hundredths of a percent, rounded up.
Int128 deviation(std::int64_t found, std::int64_t expected) {
  const Int128 off = found > expected ? Int128{found} - expected : Int128{expected} - found;
  return expected > 0 ? (off * 10'000 + expected - 1) / expected : off == 0 ? 0 : 1'000'000;
}

std::string percent_text(Int128 hundredths) { return to_fixed(Ratio{static_cast<UInt128>(hundredths), 100}, 2) + " %"; }

/// Compares a plan with its run, launch by launch.
class PlanComparison {
 public:
  explicit PlanComparison(ProfilePlan& plan) : plan_(plan) { plan.gaps = 0; }

  void add(std::size_t launch, const LaunchTimes& times) {
    PlannedLaunch& planned = plan_.launches[launch];
    planned.simulated = times.duration;
    const bool lasts = is_close(planned.simulated->count, planned.duration->count);
    planned.is_loose = !plan_.workload.launches[launch].is_kernel() && !lasts;
    note_begin(launch, times);
    if (planned.is_merged) {
      merged_measured_ += planned.duration->count;
      merged_simulated_ += planned.simulated->count;
      return;
    }
    planned.is_gap = (planned.begun && !is_close(times.begun.value_or(SimTime{}).count, planned.begun->count)) ||
                     (!planned.is_loose && !lasts);
    if (planned.is_gap) ++plan_.gaps;
    if (!planned.is_loose) note_duration(launch);
  }
  void finish() {
    plan_.worst_begin = worst_begin_;
    if (merged_measured_ > 0)
      plan_.notes.push_back(
          fmt::format("--merge: with what is drawn, merged launches last {} together; measured were {}",
                      to_text(Duration{static_cast<std::int64_t>(merged_simulated_)}),
                      to_text(Duration{static_cast<std::int64_t>(merged_measured_)})));
  }

 private:
  /// Keeps the launch with the largest difference between its simulated and its measured begin. The difference is a
  /// time: as a fraction of the time since the first launch it would be small for every late launch.
  void note_begin(std::size_t launch, const LaunchTimes& times) {
    const auto& measured = plan_.launches[launch].begun;
    if (!measured || !times.begun) return;
    const std::int64_t off = std::max((*times.begun - *measured).count, (*measured - *times.begun).count);
    if (off <= worst_begin_off_) return;
    worst_begin_off_ = off;
    worst_begin_ = fmt::format("{} for {}", to_text(Duration{off}), printable(plan_.workload.launches[launch].name));
  }
  void note_duration(std::size_t launch) {
    const PlannedLaunch& planned = plan_.launches[launch];
    const Int128 off = deviation(planned.simulated->count, planned.duration->count);
    if (off <= worst_) return;
    worst_ = off;
    plan_.worst = fmt::format("{} for {}: measured {}, simulated {}", percent_text(off),
                              printable(plan_.workload.launches[launch].name), to_text(*planned.duration),
                              to_text(*planned.simulated));
  }

  ProfilePlan& plan_;
  std::int64_t worst_begin_off_ = -1;
  std::string worst_begin_;
  Int128 worst_ = -1;
  Int128 merged_measured_ = 0;
  Int128 merged_simulated_ = 0;
};

}  // namespace

void find_occupancy(const DeviceSpec& device, ProfilePlan& plan, const StopToken& stop) {
  if (!plan.occupancy) return;
  const Ratio achieved = stoppable_run(compile(device, plan.workload).value(), stop).record.achieved_occupancy();
  plan.occupancy->simulated =
      achieved.denominator == 0 ? 0 : static_cast<std::uint64_t>(achieved.numerator * 100 / achieved.denominator);
}

void check_plan(ProfilePlan& plan, PlanSimulator& simulator, Reaching reaching) {
  const std::vector<LaunchTimes> times = simulator.times_of(plan, reaching);
  PlanComparison comparison(plan);
  for (std::size_t i = 0; i < plan.launches.size(); ++i) comparison.add(i, times[i]);
  comparison.finish();
}

RunResult stoppable_run(const Compiled& compiled, const StopToken& stop) {
  RunOptions options;
  options.stop = stop;
  RunResult run = simulate(compiled, options, KeepAccounts::no);
  if (stop.stop_requested()) throw ImportStopped();
  return run;
}

Workload lone_launch(const Kernel& kernel) { return {{kernel}, {{"alone", KernelId{0}, {}}}}; }

Duration lone_duration(const DeviceSpec& device, const Kernel& kernel, const StopToken& stop) {
  const RunResult run = stoppable_run(compile(device, lone_launch(kernel)).value(), stop);
  return run.record.launches.front().duration().value_or(Duration{});
}

}  // namespace gdsim
