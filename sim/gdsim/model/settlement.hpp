#pragma once

#include <gdsim/model/model_state.hpp>

#include <vector>

namespace gdsim {

/// Books the waits and the held resources of launches up to now. Must be called once, at the end of the run.
void settle_launches(ModelState& state);

/// Returns the time use of threads up to now, by core, then kernel, without empty entries. Threads in the middle of an
/// op are included. Must be called once, at the end of the run.
std::vector<CoreTimeUse> finalize_time_use(ModelState& state);

/// Returns the bytes that memory steps have requested, by kernel, then memory level; without levels if there are none.
std::vector<std::vector<Int128>> traffic_by_kernel(const ModelState& state);

/// Returns the threads that wait at this barrier.
std::vector<Cohort> waiting_at(const ModelState& state, GroupIndex group, std::uint32_t barrier);

}  // namespace gdsim
