#pragma once

#include <gdsim/model/model_state.hpp>

#include <cstdint>
#include <utility>
#include <vector>

namespace gdsim {

/// What a launch that has the device for itself does to the model, from its arrival on until the device is quiet again.
/// Times are counted from its arrival. What is reported of it is not in here, nor are sums on which nothing depends.
struct LaunchEffect {
  LaunchRecord record;  ///< its times alone are moved; what it waited for before it was ready is left out
  std::vector<std::pair<WaitReason, Duration>> waited;
  std::vector<WaitSpan> waits;  ///< over time
  std::uint64_t work_groups = 0;
  std::uint64_t completions = 0;       ///< of its work-groups and children
  std::vector<std::uint64_t> cursors;  ///< of dispatching, afterwards
  Duration quiet;                      ///< from then on
};

/// No launch of a kernel is present, nothing of one recovers, is dispatched, or uses anything. To be asked between
/// instants. Only launches may follow, and what concerns copies alone.
bool is_quiet(const ModelState& state);

/// Collects the state that decides what follows a quiet instant, besides what is pending. Returns false if a part does
/// not describe its state, or not in plain words.
bool read_cursors(ModelState& state, std::vector<std::uint64_t>& words);

/// The state is quiet, and the arrival of `launch` is the next event, at `at`; it is the only one then, and no other is
/// pending up to when its effect is over. The launch has had its effect, and nothing else happened.
void skip_launch(ModelState& state, LaunchId launch, SimTime at, const LaunchEffect& effect);

}  // namespace gdsim
