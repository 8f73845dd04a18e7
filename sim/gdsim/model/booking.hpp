#pragma once

#include <gdsim/model/model_state.hpp>

namespace gdsim {

/// Books what the cohort has done with its time in its step up to now, `executing` of it picoseconds of execution. The
/// rest it waited, for memory because of `limit`.
void book_step(ModelState& state, const Cohort& cohort, std::int64_t executing, MemoryLimit limit = 0);

/// Books what the cohort has done in the last stretch of its step: it has executed, but the latency of a memory that is
/// longer than it would be alone is waiting.
void book_end_of_step(ModelState& state, const Cohort& cohort);

/// Books that these threads of the kernel have done nothing but wait from `since` up to now.
void book_wait(ModelState& state, const Part& part, KernelId kernel, TimeKind waited, SimTime since);

}  // namespace gdsim
