#pragma once

#include <gdsim/dispatch/placement/placement.hpp>

namespace gdsim {

/// The lowest index, searched from the start each time.
class FillFirst : public Placement {
 public:
  bool visit_state(StateVisitor&) override { return true; }
};

}  // namespace gdsim
