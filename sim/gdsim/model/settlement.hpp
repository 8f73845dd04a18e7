#pragma once

#include <gdsim/model/model_state.hpp>

#include <vector>

namespace gdsim {

/// Books the waits and the held resources of launches up to now. Must be called once, when nothing happens any more.
void settle_launches(ModelState& state);

/// Returns the use of threads' time up to now, by core, then kernel, without kernels that had none. It includes threads
/// in the middle of an op. Must be called once, at the end.
std::vector<CoreTimeUse> finalize_time_use(ModelState& state);

/// Threads that wait at this barrier.
std::vector<Cohort> waiting_at(const ModelState& state, GroupIndex group, std::uint32_t barrier);

}  // namespace gdsim
