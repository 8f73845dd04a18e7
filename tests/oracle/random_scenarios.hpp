#pragma once

#include "support/random_runs.hpp"

namespace gdsim::oracle {

/// Draws a small device and workload of all features, by rapidcheck: those of draw_run(), and programs of any shape,
/// children that are waited for, core groups and tie orders, uneven edges in several dimensions, memories of up to
/// three levels, times in cycles, runs with short phases, and runs that deadlock. The model may refuse some. Must be
/// called in a property.
testing::RandomRun draw_any_run();
/// As above, with many launches of its kernels, most of them one after the other with pauses.
testing::RandomRun draw_chain_of_launches();

}  // namespace gdsim::oracle
