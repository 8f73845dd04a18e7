#include <gdsim/model/steps/loads.hpp>

namespace gdsim {

LoadHandle Loads::begin(LoadHandle older, SimTime isolated_until) {
  if (free_.empty()) {
    free_.push_back(static_cast<std::uint32_t>(loads_.size()));
    loads_.emplace_back();
  }
  const std::uint32_t slot = free_.back();
  free_.pop_back();
  loads_[slot].older = if_outstanding(older);
  loads_[slot].isolated_until = isolated_until;
  if (is_outstanding(older)) loads_[older.slot].newer.push_back(slot);
  return in_slot(slot);
}

LoadHandle Loads::awaited(LoadHandle last, std::uint64_t outstanding) const {
  LoadHandle load = if_outstanding(last);
  for (std::uint64_t i = 0; i < outstanding && is_outstanding(load); ++i) load = loads_[load.slot].older;
  return if_outstanding(load);
}

Loads::Load Loads::release(std::uint32_t slot) {
  Load load = std::move(loads_[slot]);
  loads_[slot] = Load();
  loads_[slot].generation = load.generation + 1;
  free_.push_back(slot);
  return load;
}

}  // namespace gdsim
