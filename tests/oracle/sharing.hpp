#pragma once

#include "oracle/world.hpp"

// Fluid sharing: threads that use the same resource at the same time get parts of it by their weights. The weight is 2.
// Threads of a kernel with a draw have 3 and 1 in turn, piece by piece of each kind but atomic accesses, if the piece
// represents one iteration; a bit that is drawn for the work-group selects the first one, see variation.hpp.
//
// - issue slots: the threads on engines that share them (`fused_engines`) get one slot per picosecond and engine,
//   none more than one per picosecond; so it is with each pipe of an engine;
// - banks of SLM: the threads of one core get one bank cycle at a time; so does the pipe of L1, which is the same;
// - atomic accesses to global memory: all threads of the device take equal parts of the time of an address;
// - memory: max-min fair, see memory.hpp.
//
// The remainder of a step is kept in 2^-20 of its unit. It is settled whenever a thread joins or leaves the sharers of
// the resource, and for memory when the resident working set changes: the amount served until then is rounded up. A
// step ends at the first whole picosecond at which no work is left; then, all its sharers are settled, and all without
// remaining work end. A step whose work is finished only by rounding, while no other step ends, ends a picosecond
// later. A step with several works, on issue slots, pipes and L1, ends with the last of them. Of its time, the longest
// of them was execution; for the rest it waited for L1 if only that ended last, else for issue slots.

namespace gdsim::oracle {

/// Begins to serve bytes to the thread, or the given picoseconds under each clock.
void begin_memory(World& world, Thread& thread, std::int64_t bytes);
void begin_sharing(World& world, Thread& thread, Shared kind, const Lengths& work);
/// Begins several works of the thread at once, of which kind, work and weight are set.
void begin_works(World& world, Thread& thread, std::vector<Work> works);
/// Begins to serve bytes to a load or store of the thread, next to all its other work.
void begin_load(World& world, Thread& thread, Load& load, std::int64_t amount);
/// Returns the time when the work of the share will be finished.
Time end_of_share(const Share& share);
/// Ends steps whose shares are used up now. Returns false if there is none.
bool shares_are_used_up(World& world);
/// Ends the run: counts the waiting so far of threads that still share something.
void count_unfinished_waiting(World& world);
/// Rescales shares after a change of the clock from one to another.
void rescale_shares(World& world, std::size_t before, std::size_t after);
/// Must be called when a work-group with a working set has begun or ended.
void working_set_changes(World& world);

}  // namespace gdsim::oracle
