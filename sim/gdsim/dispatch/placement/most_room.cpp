#include <gdsim/dispatch/placement/most_room.hpp>

namespace gdsim {

std::size_t MostRoom::cost(const Core& core, const Footprint& full) const {
  return static_cast<std::size_t>(full.most - core.how_many_more(full));
}

}  // namespace gdsim
