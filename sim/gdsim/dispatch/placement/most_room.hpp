#pragma once

#include <gdsim/dispatch/placement/placement.hpp>

#include <memory>

// Rule, to the picosecond: most room.
//
// `most_room` counts full work-groups of the kernel, also where a smaller one at the edge is placed.

namespace gdsim {

/// Chooses the core on which the most further full work-groups of the kernel fit. The device's tie order breaks ties,
/// else the lowest index.
class MostRoom : public Placement {
 public:
  Positions positions() const override { return Positions::by_tie_order; }
  std::size_t cost(const Core& core, const Footprint& full) const override;
  std::unique_ptr<Placement> copy() const override { return std::make_unique<MostRoom>(*this); }
};

}  // namespace gdsim
