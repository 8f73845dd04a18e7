#pragma once

#include <gdsim/base/quantity.hpp>
#include <gdsim/scenario/read_scenario.hpp>

#include <optional>

namespace gdsim {

/// A lower bound of the duration of a run, whatever limits are lifted: the instructions by kind of all launches,
/// divided over all engines of the device, none of them ever idle, at its clocks from the instant 0 on; at the highest
/// of them if the first launch comes later. Nothing if the device has no clock, if no launch has such a step, or if the
/// result leaves 64 bits. Left out, which keeps it a bound: children, kernels with smaller work-groups at their edges,
/// and kernels with declared factors, which may be below 1.
std::optional<Duration> arithmetic_floor(const Scenario& scenario);

}  // namespace gdsim
