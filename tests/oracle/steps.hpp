#pragma once

#include "oracle/world.hpp"

// The lives of work-groups and threads: they begin, go from step to step, end, and release what they held.

namespace gdsim::oracle {

Group& begin_group(World& world, std::size_t launch, std::uint64_t number, const Need& need);
/// The thread continues to its next step that takes time; without one, it ends at once.
void begin_next_step(World& world, Group& group, Thread& thread);
/// Threads that request tiles get them, in order: of the launch that was listed first, then by work-group and number.
/// False if none requests one.
bool tiles_are_given(World& world);
/// Returns true if the oldest of the thread's asynchronous loads is back: loads of a thread end in the order in which
/// they began.
bool has_load_that_is_back(const World& world, const Thread& thread);
/// That load ends; the thread may have waited for it.
void end_load(World& world, Group& group, Thread& thread);
/// The thread's last step is over. It releases its context, or waits to do so for its work-group.
void end_thread(World& world, Group& group, Thread& thread);
/// When the thread stops waiting; nullopt as long as that is unknown.
std::optional<Time> end_of_wait(const World& world, const Group& group, const Thread& thread);

}  // namespace gdsim::oracle
