#pragma once

#include <gdsim/base/quantity.hpp>
#include <gdsim/scenario/read_scenario.hpp>

#include <optional>

namespace gdsim {

/// A lower bound of the duration of a run, whatever limits are lifted. The instructions by kind of all launches are
/// divided over all engines of the device, which are never idle, at its clocks from time 0 on, or at its highest clock
/// if the first launch comes later. Returns nullopt if the device has no clock, if no launch has such a step, or if the
/// result leaves 64 bits. It leaves out children, kernels with smaller work-groups at their edges, and kernels with
/// declared factors, which may be below 1; it stays a lower bound.
std::optional<Duration> arithmetic_floor(const Scenario& scenario);

}  // namespace gdsim
