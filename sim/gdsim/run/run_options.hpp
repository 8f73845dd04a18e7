#pragma once

#include <gdsim/record/observer.hpp>
#include <gdsim/record/phases.hpp>
#include <gdsim/record/timeline.hpp>

#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

namespace gdsim {

/// How far a run may go. Whoever reaches a bound ends with that instant, interrupted.
struct RunBounds {
  std::optional<std::uint64_t> events;
  std::optional<Picoseconds> time;
};

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
