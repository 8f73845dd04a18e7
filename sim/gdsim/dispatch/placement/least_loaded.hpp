#pragma once

#include <gdsim/dispatch/placement/placement.hpp>

#include <memory>

// Rule, to the picosecond: least loaded.
//
// `least_loaded` counts threads that hold a context, not the contexts that they hold.

namespace gdsim {

/// Chooses the core with the fewest threads that hold a context. The device's tie order breaks ties, else the lowest
/// index.
class LeastLoaded : public Placement {
 public:
  Positions positions() const override { return Positions::by_tie_order; }
  std::size_t cost(const Core& core, const Footprint& full) const override;
  std::unique_ptr<Placement> copy() const override { return std::make_unique<LeastLoaded>(*this); }
};

}  // namespace gdsim
