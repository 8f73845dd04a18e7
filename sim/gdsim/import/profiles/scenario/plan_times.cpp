#include <gdsim/import/profiles/scenario/plan_times.hpp>

#include <gdsim/compile/compile.hpp>
#include <gdsim/device/clock_schedule.hpp>
#include <gdsim/device/core_blocks.hpp>
#include <gdsim/dispatch/dispatch_times.hpp>
#include <gdsim/host/host_costs.hpp>
#include <gdsim/import/profiles/scenario/plan_check.hpp>
#include <gdsim/import/profiles/scenario/plan_devices.hpp>

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
  const Launch& what = plan.workload.launches[launch];
  if (what.is_copy()) return duration_of(what.as_copy(), device.copy.value_or(CopyRule{}));
  const PlannedKernel& kernel = plan.kernels[index_of(what.as_kernel().kernel)];
  if (kernel.is_fitted_among_others) return std::nullopt;
  return kernel.work ? kernel.fitted_work.lasts : kernel.fitted.lasts;
}

/// Knows when a device is as if a launch had never been.
class Rest {
 public:
  Rest(const DeviceSpec& device, const ProfilePlan& plan)
      : plan_(plan), times_(device, device.dispatch), recovery_(recovery_of(device)), cost_(launch_cost_of(device)) {}

  /// Returns that time for a launch that begins and lasts like this, less what the next launch costs before it places
  /// a work-group.
  SimTime after(std::size_t launch, SimTime begun, Duration lasts) const {
    const Launch& what = plan_.workload.launches[launch];
    if (!what.is_kernel()) return begun + lasts;
    const auto threads = static_cast<std::uint32_t>(plan_.workload.kernel_of(what).threads_per_work_group());
    const Duration busy = times_.end_of_busy(SimTime{}, threads, 1) - SimTime{};
    return begun + lasts + std::max(std::max(recovery_, busy) - cost_, Duration{});
  }

 private:
  const ProfilePlan& plan_;
  DispatchTimes times_;
  Duration recovery_;
  Duration cost_;
};

/// What tells a launch of a plan from others that the plan had in its place.
void add_key(const ProfilePlan& plan, std::size_t launch, std::vector<std::int64_t>& key) {
  const Launch& what = plan.workload.launches[launch];
  key.push_back(what.at.count);
  key.push_back(static_cast<std::int64_t>(plan.launches[launch].row));
  if (what.is_kernel()) key.push_back(plan.kernels[index_of(what.as_kernel().kernel)].fitted.compute.count);
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

}  // namespace gdsim
