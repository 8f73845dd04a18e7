#pragma once

#include <gdsim/dispatch/placement/placement.hpp>

#include <memory>

namespace gdsim {

/// Chooses the candidate of the lowest index.
class FillFirst : public Placement {
 public:
  std::unique_ptr<Placement> copy() const override { return std::make_unique<FillFirst>(*this); }
};

}  // namespace gdsim
