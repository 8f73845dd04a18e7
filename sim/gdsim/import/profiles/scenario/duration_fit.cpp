#include <gdsim/import/profiles/scenario/duration_fit.hpp>

#include <gdsim/compile/compile.hpp>
#include <gdsim/device/clock_schedule.hpp>
#include <gdsim/import/profiles/scenario/plan_check.hpp>
#include <gdsim/import/profiles/scenario/plan_devices.hpp>
#include <gdsim/occupancy/occupancy.hpp>

#include <algorithm>
#include <iterator>
#include <utility>

namespace gdsim {
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
