#include <gdsim/fit/core.hpp>

#include <algorithm>
#include <limits>

namespace gdsim {
namespace {

/// Returns the minimum of floor(free / need) over all pools, a need of 0 ignored.
std::uint64_t by_pools(const Footprint& footprint, const Amounts& held) {
  std::int64_t count = std::numeric_limits<std::int64_t>::max();
  for (const Pool p : kPools)
    if (footprint.whole[p] > 0) count = std::min(count, (footprint.capacity[p] - held[p]) / footprint.whole[p]);
  return static_cast<std::uint64_t>(std::max<std::int64_t>(count, 0));
}

}  // namespace

Core::Core(const DeviceSpec& device, EngineDetail detail) {
  if (detail == EngineDetail::each) engines_.emplace(device);
  if (device.context_allocation == ContextAllocation::aligned_ranges) ranges_.emplace(device.contexts_per_core());
}

std::optional<Pool> Core::scarce_pool(const Footprint& footprint) const {
  const auto scarce = std::find_if(kPools.begin(), kPools.end(), [&](Pool p) {
    return footprint.work_group[p] != 0 && held_[p] + footprint.work_group[p] > footprint.capacity[p];
  });
  if (scarce == kPools.end()) return std::nullopt;
  return *scarce;
}

std::uint64_t max_on_empty_core(const Footprint& footprint) { return by_pools(footprint, Amounts{}); }

std::uint64_t Core::how_many_more(const Footprint& footprint) const {
  std::uint64_t count = by_pools(footprint, held_);
  if (ranges_) count = std::min(count, ranges_->count(contexts_of(footprint)));
  return engines_ ? std::min(count, engines_->capacity(footprint.thread) / footprint.threads) : count;
}

}  // namespace gdsim
