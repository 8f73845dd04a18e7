#pragma once

#include <gdsim/model/model_state.hpp>

#include <vector>

namespace gdsim {

/// Nothing happens any more: what launches waited for and held is booked up to now. Called once.
void settle_launches(ModelState& state);

/// What threads did with their time up to now, by core, then kernel, of those that had any. Those in the middle of
/// something are counted: called once, at the end.
std::vector<CoreTimeUse> finalize_time_use(ModelState& state);

/// Threads that wait at this barrier.
std::vector<Cohort> waiting_at(const ModelState& state, GroupIndex group, std::uint32_t barrier);

}  // namespace gdsim
