#pragma once

#include <gdsim/model/model_state.hpp>

#include <cstdint>
#include <utility>
#include <vector>

namespace gdsim {

/// The changes of the model by a launch that is alone on the device, from its arrival until the device is quiet again.
/// Times are relative to its arrival. Reports, and sums that do not affect the model, are not included.
struct LaunchEffect {
  LaunchRecord record;  ///< only its times are moved; its waits before it was ready are excluded
  std::vector<std::pair<WaitReason, Duration>> waited;
  std::vector<WaitSpan> waits;  ///< for series of waits over time
  std::uint64_t work_groups = 0;
  std::uint64_t completions = 0;       ///< number of its ended work-groups and children
  std::vector<std::uint64_t> cursors;  ///< the cursors of dispatching afterwards
  Duration quiet;                      ///< the time from which the device is quiet
};

/// Returns true if no launch of a kernel is present, being dispatched, or in recovery, and no resource is in use. Then
/// only events of arrivals and of copies are pending. Must be called between instants.
bool is_quiet(const ModelState& state);

/// Collects the state that, besides pending events, determines all events after a quiet instant. Returns true if every
/// part describes its state in plain words.
bool read_cursors(ModelState& state, std::vector<std::uint64_t>& words);

/// Applies the effect of a launch. The state must be quiet, the arrival of `launch` at `at` must be the next event, and
/// no other event may be pending until the effect is over.
void skip_launch(ModelState& state, LaunchId launch, SimTime at, const LaunchEffect& effect);

}  // namespace gdsim
