#pragma once

#include <gdsim/base/quantity.hpp>
#include <gdsim/scenario/scenario.hpp>

#include <optional>

namespace gdsim {

/// Returns a lower bound of the duration of a run, whatever limits are lifted. The work of all launches on the busiest
/// pipe, or on the issue slots, is divided over all engines of the device, which are never idle, at its clocks from
/// time 0 on, or at its highest clock if the first launch comes later. The bound leaves out children, kernels with
/// smaller work-groups at their edges, and kernels with declared factors, which may be below 1. Returns nullopt if the
/// device has no clock, if no launch has such a step, or if the result leaves 64 bits.
std::optional<Duration> arithmetic_floor(const Scenario& scenario);

}  // namespace gdsim
