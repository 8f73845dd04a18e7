#pragma once

#include <gdsim/dispatch/placement/placement.hpp>

#include <cstddef>
#include <memory>

namespace gdsim {

/// Chooses the first candidate at or cyclically after a cursor, which then moves past it. The cursor starts at core 0
/// and persists across turns and launches.
class RoundRobin : public Placement {
 public:
  std::optional<std::size_t> choose(const IndexSet& offered) override;
  std::unique_ptr<Placement> copy() const override { return std::make_unique<RoundRobin>(*this); }

 private:
  std::size_t cursor_ = 0;
};

}  // namespace gdsim
