#pragma once

#include <gdsim/model/model_state.hpp>

#include <span>

namespace gdsim {

/// The cohorts of these events have done their steps and go on; equal ones that issue slots had parted go together.
void end_steps(ModelState& state, std::span<const Event> events);

/// Work on a shared resource is done: its users' steps, or they themselves, end at this instant.
void end_shared_work(ModelState& state, std::uint32_t resource);

/// Books what the cohort has done with its time in its step up to now, `executing` of it picoseconds of execution.
void book_step(ModelState& state, const Cohort& cohort, std::int64_t executing);

}  // namespace gdsim
