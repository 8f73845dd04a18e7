#pragma once

#include <gdsim/model/model_state.hpp>

#include <cstdint>
#include <utility>
#include <vector>

namespace gdsim {

/// What a launch that has the device for itself changes in the model, from its arrival until the device is quiet again.
/// Times are counted from its arrival. Neither what is reported about it nor sums on which nothing depends are
/// included.
struct LaunchEffect {
  LaunchRecord record;  ///< only its times are moved; what it waited for before it was ready is left out
  std::vector<std::pair<WaitReason, Duration>> waited;
  std::vector<WaitSpan> waits;  ///< over time
  std::uint64_t work_groups = 0;
  std::uint64_t completions = 0;       ///< of its work-groups and children
  std::vector<std::uint64_t> cursors;  ///< of dispatching, afterwards
  Duration quiet;                      ///< the device is quiet from then on
};

/// No launch of a kernel is present, and nothing of one recovers, is dispatched, or uses anything. Called between
/// instants. Only launches, and events of copies alone, may follow.
bool is_quiet(const ModelState& state);

/// Collects the state that decides what follows a quiet instant, besides pending events. Returns false if a part does
/// not describe its state, or not in plain words.
bool read_cursors(ModelState& state, std::vector<std::uint64_t>& words);

/// Applies the effect of a launch. Requires a quiet state in which the arrival of `launch` at `at` is the next event,
/// and no other is pending until the effect is over.
void skip_launch(ModelState& state, LaunchId launch, SimTime at, const LaunchEffect& effect);

}  // namespace gdsim
