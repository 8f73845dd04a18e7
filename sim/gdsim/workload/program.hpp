#pragma once

#include <gdsim/base/quantity.hpp>

#include <variant>
#include <vector>

namespace gdsim {

/// A thread is busy for a fixed time, whoever else is resident.
struct Compute {
  StepTime time;
};

/// A thread waits until every thread of its work-group has arrived, placed or not.
struct Barrier {};

using Step = std::variant<Compute, Barrier>;

/// What each thread of a kernel does, first step to last.
using Program = std::vector<Step>;

bool has_barrier(const Program& program);

}  // namespace gdsim
