#include <gdsim/fit/core.hpp>

#include <algorithm>

namespace gdsim {
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

WaitReason Core::reason_of(Pool scarce) {
  switch (scarce) {
    case Pool::contexts: return WaitReason::contexts;
    case Pool::slots:
    case Pool::barrier_or_slm_slots: return WaitReason::work_group_slots;
    case Pool::slm: return WaitReason::slm;
    case Pool::barriers: break;
  }
  return WaitReason::barriers;
}

std::uint64_t Core::how_many_more(const Footprint& footprint) const {
  std::uint64_t count = how_many_fit(footprint, held_);
  if (ranges_) count = std::min(count, ranges_->count(contexts_of(footprint)));
  return engines_ ? std::min(count, engines_->capacity(footprint.thread) / footprint.threads) : count;
}

}  // namespace gdsim
