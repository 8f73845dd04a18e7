#include <gdsim/import/profiles/scenario/plan_times.hpp>

#include <gdsim/compile/compile.hpp>
#include <gdsim/device/clock_schedule.hpp>
#include <gdsim/device/core_blocks.hpp>
#include <gdsim/dispatch/dispatch_times.hpp>
#include <gdsim/host/host_costs.hpp>
#include <gdsim/import/profiles/scenario/plan_check.hpp>
#include <gdsim/import/profiles/scenario/plan_devices.hpp>
#include <gdsim/occupancy/occupancy.hpp>

#include <algorithm>
#include <iterator>
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

namespace {

constexpr std::int64_t kFitTolerance = 10'000;  ///< a ten-thousandth of the measured time
constexpr unsigned kMaxFits = 80;
constexpr unsigned kSecants = 12;  ///< after this many, every second guess bisects

}  // namespace

DurationFit::DurationFit(const DeviceSpec& device, Kernel kernel, StopToken stop)
    : device_(device), kernel_(std::move(kernel)), stop_(std::move(stop)), groups_(kernel_.range.group_count()) {
  kernel_.program = {Compute{StepTime{Decimal::whole(1), StepTime::Unit::picoseconds}}};
  kernel_.has_placeholder = false;
  const Compilation ready = compile(device_, lone_launch(kernel_));
  if (!ready) {
    refusals_ = ready.issues();
    return;
  }
  const Occupancy occupancy = occupancy_of(kernel_, device_, GlobalSize::given);
  at_once_ = occupancy.work_groups_per_core * std::uint64_t{device_.cores};
  if (at_once_ > 0) waves_ = static_cast<std::int64_t>(std::min<std::uint64_t>((groups_ - 1) / at_once_ + 1, 1U << 30));
  recovery_ = recovery_of(device_);
  may_compute_ = has_equal_waves();
}

bool DurationFit::has_equal_waves() const {
  const DispatchRules& rules = device_.dispatch;
  return at_once_ > 0 && waves_ < (1 << 30) && rules.admission == Admission::whole && kernel_.cluster.empty() &&
         kernel_.cluster_size() <= 1 && rules.own_placements.empty() && !clock_may_change(device_) &&
         (!rules.partition || has_equal_groups(device_));
}

/// Simulates the launch with the first `groups` of its work-groups.
Duration DurationFit::simulate(Duration compute, std::uint64_t groups) {
  Kernel kernel = kernel_;
  kernel.program = {
      Compute{StepTime{Decimal::whole(static_cast<std::uint64_t>(compute.count)), StepTime::Unit::picoseconds}}};
  if (groups != groups_)
    kernel.range.global = {kernel.range.local[0], kernel.range.local[1], kernel.range.local[2] * groups};
  ++simulated_;
  simulated_groups_ += groups;
  return lone_duration(device_, kernel, stop_);
}

/// Returns the launch's duration by the rule, or nullopt if the rule is not known to hold for this computing time.
std::optional<Duration> DurationFit::by_waves(Duration compute) {
  if (!may_compute_ || compute <= dispatched_) return std::nullopt;
  if (!least_by_waves_ || compute < *least_by_waves_) {
    const std::uint64_t last_wave = (groups_ - 1) % at_once_ + 1;
    const Duration one = simulate(compute, last_wave);
    if (waves_ > 1 && simulate(compute, last_wave + at_once_) != one + compute + recovery_) {
      dispatched_ = compute;
      return std::nullopt;
    }
    least_by_waves_ = compute;
    constant_ = one - compute;
  }
  return constant_ + compute + times(compute + recovery_, static_cast<std::uint64_t>(waves_ - 1));
}

Duration DurationFit::lasts(Duration compute) {
  if (const auto known = known_.find(compute); known != known_.end()) return known->second;
  const std::optional<Duration> computed = by_waves(compute);
  const Duration lasts = computed ? *computed : simulate(compute, groups_);
  known_.emplace(compute, lasts);
  Duration& longest = by_lasts_[lasts];
  longest = std::max(longest, compute);
  return lasts;
}

/// Returns true if a simulation of the last waves gives what the rule says. Verifies the rule once.
bool DurationFit::holds(Duration compute) {
  if (is_verified_ || !may_compute_ || !least_by_waves_ || compute <= *least_by_waves_) return true;
  const std::uint64_t waves = std::min<std::uint64_t>(static_cast<std::uint64_t>(waves_), 2);
  is_verified_ = simulate(compute, (groups_ - 1) % at_once_ + 1 + (waves - 1) * at_once_) ==
                 constant_ + compute + times(compute + recovery_, waves - 1);
  return is_verified_;
}

/// Returns a computing time with which the launch is shorter than measured, so that most others are longer.
Duration DurationFit::first_guess(Duration measured) const {
  const Duration least = measured - launch_cost_of(device_) - times(recovery_, static_cast<std::uint64_t>(waves_ - 1));
  const Duration other = measured - launch_cost_of(device_);
  return {std::max((least.count > 0 ? least : other).count / waves_ / 8 * 7, kLeast.count)};
}

/// Interpolates linearly between the longest computing known to be short enough and the shortest known to be too long,
/// or bisects if that did not help. If one of them is unknown, the slope is the number of waves of work-groups that
/// fit.
Duration DurationFit::next_guess(Duration measured, unsigned attempt) const {
  const auto above = by_lasts_.upper_bound(measured);
  const bool has_above = above != by_lasts_.end();
  if (above == by_lasts_.begin()) {
    if (!has_above) return first_guess(measured);
    const std::int64_t excess = above->first.count - measured.count;
    const std::int64_t step = attempt > kSecants ? above->second.count / 2 + 1 : excess / waves_ + 1;
    return {std::max<std::int64_t>(above->second.count - step, kLeast.count)};
  }
  const auto below = std::prev(above);
  const std::int64_t missing = measured.count - below->first.count;
  if (!has_above) return {below->second.count + std::max<std::int64_t>(missing / waves_, 1)};
  const Int128 width = Int128{above->second.count} - below->second.count;
  if (width <= 1) return below->second;
  Int128 step = Int128{missing} * width / (above->first.count - below->first.count);
  if (attempt > kSecants && attempt % 2 == 0) step = width / 2;
  return {below->second.count + static_cast<std::int64_t>(std::clamp<Int128>(step, 1, width - 1))};
}

FittedDuration DurationFit::fit(Duration measured) {
  const FittedDuration found = search(measured);
  if (holds(found.compute)) return found;
  may_compute_ = false;
  known_.clear();
  by_lasts_.clear();
  return search(measured);
}

FittedDuration DurationFit::search(Duration measured) {
  for (unsigned attempt = 0; attempt < kMaxFits; ++attempt) {
    const auto above = by_lasts_.upper_bound(measured);
    if (above != by_lasts_.begin() && measured - std::prev(above)->first <= Duration{measured.count / kFitTolerance})
      break;
    const Duration guess = next_guess(measured, attempt);
    if (known_.contains(guess)) break;  // no value lies between, or none is shorter
    lasts(guess);
  }
  const auto above = by_lasts_.upper_bound(measured);
  if (above == by_lasts_.begin()) return fitted(kLeast, lasts(kLeast));
  return fitted(std::prev(above)->second, std::prev(above)->first);
}

FittedDuration DurationFit::fitted(Duration compute, Duration lasts) const {
  const Duration computing = times(compute, static_cast<std::uint64_t>(waves_));
  return {compute, lasts, std::max(lasts - computing, Duration{})};
}

}  // namespace gdsim
