#include <gdsim/import/profiles/scenario/duration_fit.hpp>

#include <gdsim/compile/compile.hpp>
#include <gdsim/import/profiles/scenario/device_overrides.hpp>
#include <gdsim/import/profiles/scenario/stoppable_run.hpp>
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
    : device_(device), kernel_(std::move(kernel)), stop_(std::move(stop)) {
  kernel_.program = {Compute{StepTime{Decimal::whole(1), StepTime::Unit::picoseconds}}};
  kernel_.has_placeholder = false;
  const Compilation ready = compile(device_, lone_launch(kernel_));
  if (!ready) {
    refusals_ = ready.issues();
    return;
  }
  const Occupancy occupancy = occupancy_of(kernel_, device_, GlobalSize::given);
  const std::uint64_t at_once = occupancy.work_groups_per_core * std::uint64_t{device_.cores};
  const std::uint64_t groups = kernel_.range.group_count();
  if (at_once > 0) waves_ = static_cast<std::int64_t>(std::min<std::uint64_t>((groups - 1) / at_once + 1, 1U << 30));
}

Duration DurationFit::lasts(Duration compute) {
  if (const auto known = known_.find(compute); known != known_.end()) return known->second;
  kernel_.program = {
      Compute{StepTime{Decimal::whole(static_cast<std::uint64_t>(compute.count)), StepTime::Unit::picoseconds}}};
  const Duration lasts = lone_duration(device_, kernel_, stop_);
  ++simulated_;
  known_.emplace(compute, lasts);
  Duration& longest = by_lasts_[lasts];
  longest = std::max(longest, compute);
  return lasts;
}

/// Interpolates linearly between the longest computing known to be short enough and the shortest known to be too long,
/// or bisects if that did not help. If one of them is unknown, the slope is the number of waves of work-groups that
/// fit.
Duration DurationFit::next_guess(Duration measured, unsigned attempt) const {
  const auto above = by_lasts_.upper_bound(measured);
  const bool has_above = above != by_lasts_.end();
  if (above == by_lasts_.begin()) {
    if (!has_above) return {std::max<std::int64_t>((measured - launch_cost_of(device_)).count / waves_, kLeast.count)};
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
  for (unsigned attempt = 0; attempt < kMaxFits; ++attempt) {
    const auto above = by_lasts_.upper_bound(measured);
    if (above != by_lasts_.begin() && measured - std::prev(above)->first <= Duration{measured.count / kFitTolerance})
      break;
    const Duration guess = next_guess(measured, attempt);
    if (known_.contains(guess)) break;  // no value lies between, or none is shorter
    lasts(guess);
  }
  const auto above = by_lasts_.upper_bound(measured);
  if (above == by_lasts_.begin()) return {kLeast, lasts(kLeast)};
  return {std::prev(above)->second, std::prev(above)->first};
}

}  // namespace gdsim
