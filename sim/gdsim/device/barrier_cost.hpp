#pragma once

#include <gdsim/base/quantity.hpp>

namespace gdsim {

/// What passes between the arrival of a work-group's last thread at a barrier and its opening: `base`, and
/// `per_thread` for each thread of the work-group. 0 unless given.
struct BarrierCost {
  StepTime base;
  StepTime per_thread;
};

}  // namespace gdsim
