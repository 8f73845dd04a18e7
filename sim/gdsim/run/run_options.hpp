#pragma once

#include <gdsim/record/observer.hpp>
#include <gdsim/record/phases.hpp>
#include <gdsim/record/timeline.hpp>
#include <gdsim/run/run_bounds.hpp>

#include <cstdint>
#include <stop_token>
#include <vector>

namespace gdsim {

/// What a run keeps, whom it tells, and when it ends early.
struct RunOptions {
  MinPhase min_phase;
  KeepTimeline keep_timeline = KeepTimeline::no;
  std::vector<Observer*> observers{};  ///< none is null; they must outlive the run
  RunBounds bounds{};
  std::stop_token stop{};         ///< once it is requested, the run ends with the instant it is at, interrupted
  std::uint64_t seed_offset = 0;  ///< added to the seed of every draw, modulo 2^64
};

}  // namespace gdsim
