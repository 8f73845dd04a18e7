#pragma once

#include "oracle/world.hpp"

#include <map>
#include <vector>

// How fast threads reach memory. Of a resident working set W, a level serves min(capacity, W) / W, less what faster
// levels serve; the last level serves the rest. W is the sum of what the kernels of all resident work-groups name; a
// kernel that names none only streams: the last level serves it.

namespace gdsim::oracle {

/// The part of each level in what the threads of this kernel read now.
std::vector<Fraction> level_parts(World& world, const Kernel& kernel);
/// From a request to its data, in picoseconds: the mean over the levels by their parts.
Fraction latency_of(const World& world, const std::vector<Fraction>& parts);
/// Bytes per picosecond of every thread in a memory step: max-min fair under the limits of single threads, of cores, and
/// of the levels by their parts. A thread has `in_flight` bytes under way, but no more than its step moves, so it gets
/// these per latency: no step is shorter than that.
std::map<const Thread*, Fraction> memory_rates(World& world);

}  // namespace gdsim::oracle
