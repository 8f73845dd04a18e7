#include <gdsim/model/steps/loads.hpp>

namespace gdsim {

LoadHandle Loads::begin(LoadHandle older, SimTime isolated_until) {
  if (free_.empty()) {
    free_.push_back(static_cast<std::uint32_t>(loads_.size()));
    loads_.emplace_back();
  }
  const std::uint32_t slot = free_.back();
  free_.pop_back();
  Load& load = loads_[slot] = {.older = {}, .isolated_until = isolated_until, .generation = loads_[slot].generation};
  if (is_outstanding(older)) {
    load.older = older;
    Load& before = loads_[older.slot];
    (before.newer == kNoSlot ? before.newer : loads_[before.last_newer].sibling) = slot;
    before.last_newer = slot;
  }
  return in_slot(slot);
}

LoadHandle Loads::awaited(LoadHandle last, std::uint64_t outstanding) const {
  LoadHandle load = if_outstanding(last);
  for (std::uint64_t i = 0; i < outstanding && is_outstanding(load); ++i) load = loads_[load.slot].older;
  return if_outstanding(load);
}

}  // namespace gdsim
