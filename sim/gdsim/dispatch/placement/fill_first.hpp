#pragma once

#include <gdsim/dispatch/placement/placement.hpp>

#include <memory>

namespace gdsim {

/// Chooses the candidate of the lowest index.
class FillFirst : public Placement {
 public:
  bool visit_state(StateVisitor&) override { return true; }
  std::unique_ptr<Placement> copy() const override { return std::make_unique<FillFirst>(*this); }
};

static_assert(sizeof(FillFirst) == sizeof(Placement), "it has members: describe them in visit_state()");

}  // namespace gdsim
