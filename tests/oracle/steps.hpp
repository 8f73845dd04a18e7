#pragma once

#include "oracle/world.hpp"

// The lives of work-groups and threads: they begin, go from step to step, end, and release their resources.

namespace gdsim::oracle {

Group& begin_group(World& world, std::size_t launch, std::uint64_t number, const Need& need);
/// Advances the thread to its next step that takes time; without one, the thread ends.
void begin_next_step(World& world, Group& group, Thread& thread);
/// Gives tiles to threads that request them, in order: by the launch that is first in the file, then by work-group and
/// number. Returns false if none requests one.
bool tiles_are_given(World& world);
/// Returns true if the oldest of the thread's asynchronous loads is back: loads of a thread end in the order in which
/// they began.
bool has_load_that_is_back(const World& world, const Thread& thread);
/// Ends that load; the thread may have waited for it.
void end_load(World& world, Group& group, Thread& thread);
/// Ends a store whose bytes have been served. Returns false if there is none.
bool a_store_ends(World& world);
/// Returns true for a thread that waited for room for its core's stores, if there is some.
bool may_go_on_after_store(const World& world, const Thread& thread);
/// Ends the thread. It releases its context, or keeps it until its work-group ends.
void end_thread(World& world, Group& group, Thread& thread);
/// Returns the time when the thread stops waiting; nullopt while that is unknown.
std::optional<Time> end_of_wait(const World& world, const Group& group, const Thread& thread);

}  // namespace gdsim::oracle
