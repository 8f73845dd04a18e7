#pragma once

#include "oracle/world.hpp"

// The rates at which threads reach memory. Of a resident working set W, a level serves min(capacity, W) / W, less the
// part that faster levels serve; the last level serves the rest. W is the sum of the working sets that the kernels of
// all resident work-groups name, and, once for each launch with a resident work-group, of the set that its kernel names
// as shared; a kernel that names neither only streams: the last level serves it. A W of 0 B counts as 1 B.
//
// An asynchronous load is served as if another thread on the same core had a step of the same number of bytes: all
// rules below hold for each load by itself. So is a store, also when its thread has ended, but it has no latency: it
// ends when its bytes have been served, and neither `in_flight` nor `core_in_flight` limits it.
//
// A level may be one for the device, one per group of a level of core_groups, or one per core: then its capacity and
// its bandwidth are those of one, and W counts the work-groups whose first thread is on the cores that share it, and
// the shared set of a launch once if any of its work-groups is one of them. Only the threads and loads of these cores
// compete for it.
//
// The bytes of a step are served; it ends one latency later. The latency is the mean of the levels by their parts,
// rounded to a picosecond, halves up, and does not vary; its W is that before the instant at which all bytes are
// served.
//
// A thread asks for `in_flight` bytes at a time (the kernel's, else the device's), but no more than one step moves,
// without a factor; without `in_flight`, for all bytes of one step, as an asynchronous load does. A piece of more bytes
// than these is served at the rate at which it takes bytes / in_flight latencies in all if it is alone, the last latency
// after it was served. A piece that is asked for at once, or whose requests take no time, is served in a picosecond.
//
// A thread gets no more than it would get if no other thread read, and no more than an equal part of the rate of its
// core: its bandwidth, and `core_in_flight` per latency. Within these limits, all threads get the same rate times their
// weight: the highest at which they together ask no level for more than its bandwidth. For weights, see sharing.hpp.
//
// A step that names the sectors that it writes asks the first level that is one for the device, and not the last one,
// for the bytes that they count on this device, in proportion to its bytes, if that is more than the level's part.
//
// A load that serves N work-groups (`multicast`) asks the levels that do not belong to its core for 1/N of its part.

namespace gdsim::oracle {

/// Sets the rate, in bytes per picosecond, of every thread in a memory step.
void set_memory_rates(World& world);
/// Returns the time from the last byte of a thread's step to its end, if that byte is served now.
Lengths memory_latency(const World& world, const Group& group, const Thread& thread);
/// Returns true if any W changes because the work-group has begun, on its first core, or ended. Its launch's shared set
/// matters if `if_resident` of the launch's work-groups are now resident where a level is shared.
bool changes_working_set(const World& world, const Group& group, std::ptrdiff_t if_resident);

}  // namespace gdsim::oracle
