#pragma once

#include "oracle/world.hpp"

// How fast threads reach memory. Of a resident working set W, a level serves min(capacity, W) / W, less what faster
// levels serve; the last level serves the rest. W is the sum of what the kernels of all resident work-groups name; a
// kernel that names none only streams: the last level serves it.
//
// A thread has `in_flight` bytes under way, but no more than its step moves, and gets these per latency: so no step is
// shorter than the latency, the mean of its levels by their parts. It gets no more than it would get if no other thread
// read, and no more than an equal part of its core's bandwidth. Above these limits, all threads get the same rate: the
// highest at which they together ask no level for more than its bandwidth.

namespace gdsim::oracle {

/// Sets the rate, in bytes per picosecond, of every thread in a memory step.
void set_memory_rates(World& world);

}  // namespace gdsim::oracle
