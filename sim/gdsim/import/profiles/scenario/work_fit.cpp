#include <gdsim/import/profiles/scenario/work_fit.hpp>

#include <gdsim/import/profiles/scenario/stoppable_run.hpp>

#include <algorithm>
#include <iterator>
#include <utility>

namespace gdsim {
namespace {

constexpr std::uint64_t kPartsOfWork = 1'000'000;
constexpr std::uint64_t kMax = 10'000 * kPartsOfWork;
constexpr unsigned kMaxWorkFits = 16;
constexpr std::int64_t kTolerance = 1'000;  ///< a thousandth of the measured time

std::int64_t distance(Duration a, Duration b) { return std::max((a - b).count, (b - a).count); }

}  // namespace

WorkFit::WorkFit(const DeviceSpec& device, const Kernel& kernel, CountedWork work, StopToken stop)
    : device_(device), kernel_(kernel), work_(std::move(work)), stop_(std::move(stop)) {}

Duration WorkFit::lasts(std::uint64_t millionths) {
  set_counted_work(work_, millionths, kernel_);
  const Duration lasts = lone_duration(device_, kernel_, stop_);
  known_.emplace(millionths, lasts);
  return lasts;
}

/// Interpolates linearly between the nearest known points; with points on one side only, scales in proportion.
std::uint64_t WorkFit::next_guess(Duration measured) const {
  const auto above = std::find_if(known_.begin(), known_.end(), [&](const auto& one) { return one.second > measured; });
  if (above == known_.begin() || above == known_.end()) {
    const auto& [factor, lasts] = above == known_.begin() ? *above : *std::prev(above);
    const auto scaled = UInt128{factor} * static_cast<std::uint64_t>(measured.count) /
                        static_cast<std::uint64_t>(std::max<std::int64_t>(lasts.count, 1));
    // The time of dispatching is not in proportion, so the guess goes further.
    const UInt128 further = above == known_.begin() ? scaled - scaled / 8 : scaled + scaled / 8;
    return static_cast<std::uint64_t>(std::clamp<UInt128>(further, 1, kMax));
  }
  const auto below = std::prev(above);
  const std::int64_t height = (above->second - below->second).count;
  const std::uint64_t width = above->first - below->first;
  const auto step =
      static_cast<std::uint64_t>(UInt128{width} * static_cast<std::uint64_t>((measured - below->second).count) /
                                 static_cast<std::uint64_t>(std::max<std::int64_t>(height, 1)));
  return below->first + std::clamp<std::uint64_t>(step, width / 16, width - width / 16);
}

FittedWork WorkFit::fit(Duration measured) {
  if (known_.empty()) lasts(kPartsOfWork);
  const auto nearest = [&] {
    return std::min_element(known_.begin(), known_.end(), [&](const auto& a, const auto& b) {
      return distance(a.second, measured) < distance(b.second, measured);
    });
  };
  for (unsigned i = 0; i < kMaxWorkFits && distance(nearest()->second, measured) > measured.count / kTolerance; ++i) {
    const std::uint64_t guess = next_guess(measured);
    if (known_.contains(guess)) break;
    lasts(guess);
  }
  const auto found = nearest();
  return {found->first, found->second};
}

}  // namespace gdsim
