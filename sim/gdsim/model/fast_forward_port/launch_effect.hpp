#pragma once

#include <gdsim/model/model_state.hpp>

#include <cstdint>
#include <utility>
#include <vector>

namespace gdsim {

/// The changes that a launch with the device for itself makes to the model, from its arrival until the device is quiet
/// again. Times are counted from its arrival. Reports about it and sums on which nothing depends are not included.
struct LaunchEffect {
  LaunchRecord record;  ///< only its times are moved; its waits before it was ready are left out
  std::vector<std::pair<WaitReason, Duration>> waited;
  std::vector<WaitSpan> waits;  ///< over time
  std::uint64_t work_groups = 0;
  std::uint64_t completions = 0;       ///< of its work-groups and children
  std::vector<std::uint64_t> cursors;  ///< of dispatching, afterwards
  Duration quiet;                      ///< the device is quiet from then on
};

/// Returns true if no launch of a kernel is present, and nothing of one recovers, is dispatched, or uses anything. Must
/// be called between instants. Only launches, and events of copies alone, may follow.
bool is_quiet(const ModelState& state);

/// Collects the state that, besides pending events, determines the future after a quiet instant. Returns true if every
/// part describes its state in plain words.
bool read_cursors(ModelState& state, std::vector<std::uint64_t>& words);

/// Applies the effect of a launch. Requires a quiet state in which the arrival of `launch` at `at` is the next event,
/// and no other is pending until the effect is over.
void skip_launch(ModelState& state, LaunchId launch, SimTime at, const LaunchEffect& effect);

}  // namespace gdsim
