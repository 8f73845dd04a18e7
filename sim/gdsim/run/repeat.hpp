#pragma once

#include <gdsim/base/in_order.hpp>
#include <gdsim/record/repetitions.hpp>
#include <gdsim/run/simulate.hpp>

#include <cstdint>

namespace gdsim {

/// Runs the workload `count` times, at most kMaxRepetitions, each time with seeds one higher. The first is the run that
/// simulate() makes. An interrupted run does not count and ends them. Nothing is reported to observers of `options`;
/// errors as of simulate(). The same with any number of jobs. `first`, if given, is that first run, which then is not
/// made again: of simulate() with its timeline or resident threads kept.
Repetitions repeat(const Compiled& compiled, const RunOptions& options, std::uint64_t count, Jobs jobs = {},
                   const RunResult* first = nullptr);

}  // namespace gdsim
