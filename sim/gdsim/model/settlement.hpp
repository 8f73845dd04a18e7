#pragma once

#include <gdsim/model/model_state.hpp>

#include <vector>

namespace gdsim {

/// Nothing happens any more: books what launches waited for and held up to now. Called once.
void settle_launches(ModelState& state);

/// What threads did with their time up to now, by core, then kernel, without those that had none. Threads in the middle
/// of something are counted. Called once, at the end.
std::vector<CoreTimeUse> finalize_time_use(ModelState& state);

/// Threads that wait at this barrier.
std::vector<Cohort> waiting_at(const ModelState& state, GroupIndex group, std::uint32_t barrier);

}  // namespace gdsim
