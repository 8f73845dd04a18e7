#include <gdsim/fit/core.hpp>

#include <gdsim/base/check.hpp>

#include <algorithm>

namespace gdsim {

bool ContextRanges::is_free(std::uint32_t first, std::uint32_t length) const {
  const auto begin = is_taken_.begin() + first;
  return std::all_of(begin, begin + length, [](std::uint8_t taken) { return taken == 0; });
}

std::optional<std::uint32_t> ContextRanges::find(std::uint32_t length) const {
  for (std::uint32_t first = 0; first + length <= is_taken_.size(); first += length)
    if (is_free(first, length)) return first;
  return std::nullopt;
}

std::uint64_t ContextRanges::count(std::uint32_t length) const {
  std::uint64_t ranges = 0;
  for (std::uint32_t first = 0; first + length <= is_taken_.size(); first += length)
    if (is_free(first, length)) ++ranges;
  return ranges;
}

std::uint32_t ContextRanges::take(std::uint32_t length) {
  const auto first = find(length);
  GDSIM_CHECK(first.has_value(), "a core was given a work-group for which it has no range of contexts");
  std::fill_n(is_taken_.begin() + *first, length, std::uint8_t{1});
  return *first;
}

void ContextRanges::release(std::uint32_t first, std::uint32_t length) {
  const auto begin = is_taken_.begin() + first;
  GDSIM_CHECK(std::all_of(begin, begin + length, [](std::uint8_t taken) { return taken == 1; }),
              "contexts were released that were free");
  std::fill_n(begin, length, std::uint8_t{0});
}

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
