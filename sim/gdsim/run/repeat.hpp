#pragma once

#include <gdsim/base/in_order.hpp>
#include <gdsim/record/repetitions.hpp>
#include <gdsim/run/simulate.hpp>

#include <cstdint>

namespace gdsim {

/// Runs the workload `count` times, at most kMaxRepetitions, each time with seeds one higher. The first run is that of
/// simulate(). An interrupted run does not count and ends the series. Nothing is reported to observers of `options`.
/// Throws as simulate(). The result does not depend on the number of jobs. `first`, if given, replaces the first run;
/// it must have kept its timeline or its resident threads.
Repetitions repeat(const Compiled& compiled, const RunOptions& options, std::uint64_t count, Jobs jobs = {},
                   const RunResult* first = nullptr);

}  // namespace gdsim
