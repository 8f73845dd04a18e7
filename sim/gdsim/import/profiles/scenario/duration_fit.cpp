#include <gdsim/import/profiles/scenario/duration_fit.hpp>

#include <gdsim/compile/compile.hpp>
#include <gdsim/run/simulate.hpp>

#include <algorithm>
#include <iterator>
#include <utility>

namespace gdsim {
namespace {

constexpr std::int64_t kFitTolerance = 10'000;  ///< a ten-thousandth of what was measured
constexpr unsigned kMaxFits = 80;
constexpr unsigned kSecants = 12;  ///< then every second guess halves

Workload lone_launch(const Kernel& kernel) { return {{kernel}, {{"alone", KernelId{0}, {}}}}; }

}  // namespace

DurationFit::DurationFit(const DeviceSpec& device, Kernel kernel) : device_(device), kernel_(std::move(kernel)) {
  kernel_.program = {Compute{StepTime{Decimal::whole(1), StepTime::Unit::picoseconds}}};
  kernel_.has_placeholder = false;
  const Compilation ready = compile(device_, lone_launch(kernel_));
  if (!ready) refusals_ = ready.issues();
}

Duration DurationFit::lasts(Duration compute) {
  if (const auto known = known_.find(compute); known != known_.end()) return known->second;
  kernel_.program = {Compute{
      StepTime{Decimal::whole(static_cast<std::uint64_t>(compute.count)), StepTime::Unit::picoseconds}}};
  const RunResult run = simulate(compile(device_, lone_launch(kernel_)).value());
  ++simulated_;
  const Duration lasts = run.record.launches.front().duration().value_or(Duration{});
  known_.emplace(compute, lasts);
  Duration& longest = by_lasts_[lasts];
  longest = std::max(longest, compute);
  return lasts;
}

FittedDuration DurationFit::best_of_known(Duration measured) const {
  const auto above = by_lasts_.upper_bound(measured);
  if (above == by_lasts_.begin()) return {kLeast, known_.at(kLeast)};
  const auto below = std::prev(above);
  return {below->second, below->first};
}

/// Between the longest computing that is known to be short enough and the shortest that is known to be too long, where
/// a straight line would reach `measured`; the middle, where lines did not help.
Duration DurationFit::next_guess(Duration measured, unsigned attempt) const {
  const FittedDuration below = best_of_known(measured);
  const auto above = by_lasts_.upper_bound(measured);
  const Int128 missing = measured.count - below.lasts.count;
  if (above == by_lasts_.end()) return {below.compute.count + std::max<std::int64_t>(static_cast<std::int64_t>(missing), 1)};
  const Int128 width = above->second.count - below.compute.count;
  if (width <= 1) return below.compute;
  Int128 step = missing * width / (above->first.count - below.lasts.count);
  if (attempt > kSecants && attempt % 2 == 0) step = width / 2;
  return {below.compute.count + static_cast<std::int64_t>(std::clamp<Int128>(step, 1, width - 1))};
}

FittedDuration DurationFit::fit(Duration measured) {
  if (shortest() >= measured) return {kLeast, shortest()};
  for (unsigned attempt = 0; attempt < kMaxFits; ++attempt) {
    const FittedDuration best = best_of_known(measured);
    if (measured.count - best.lasts.count <= measured.count / kFitTolerance) break;
    const Duration guess = next_guess(measured, attempt);
    if (known_.contains(guess)) break;  // nothing lies between
    lasts(guess);
  }
  return best_of_known(measured);
}

}  // namespace gdsim
