#pragma once

#include <gdsim/base/quantity.hpp>
#include <gdsim/scenario/read_scenario.hpp>

#include <optional>

namespace gdsim {

/// How long the engines of the device take at least for the instructions by kind of all launches, if none of them is
/// ever idle: no run can be shorter, whatever limits are lifted. Nothing where no launch has such a step. Children, and
/// work-groups at edges, are left out: the bound holds without them. So do declared factors of work-groups and threads,
/// whose mean is 1.
std::optional<Duration> arithmetic_floor(const Scenario& scenario);

}  // namespace gdsim
