#pragma once

#include "support/random_runs.hpp"

namespace gdsim::oracle {

/// Draws a run of processes that have the device one at a time: of both choices, preempted by thread or by work-group,
/// at any cost. Its launches wait for none of another process. It may be refused. Must be called in a property.
testing::RandomRun draw_processes();

}  // namespace gdsim::oracle
