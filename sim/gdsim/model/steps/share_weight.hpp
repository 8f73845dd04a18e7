#pragma once

#include <cstdint>

// Rule, to the picosecond: shared pools.
//
// Issue slots of an engine (or of `fused_engines`), banks of SLM, and the memory are shared by weight: each thread that
// uses one gets its weight times a common level, but no more than one slot or bank (of the memory: no more than its
// limits, model/memory/memory_pool). The level is the highest that the capacity allows. The weight is 2. Threads of a
// kernel with a draw have the weights 3 and 1 alternately, piece by piece of each of the three kinds. They begin with 3
// if the lowest of 64 bits that are drawn for the work-group is set (`FactorDraw::is_first`). A piece that stands for
// several iterations of a loop shares evenly, with weight 2, and counts as one of these pieces. A core's SLM serves
// `accesses_per_cycle` accesses at once, each with its own `banks` banks, and is shared as this number of banks; as one
// where the key is missing.
//
// The remainder of a step is kept in units of 2^-20 of a picosecond or byte. It is settled whenever a thread joins or
// leaves the pool (for memory: any memory step begins or ends, or the resident working set changes): what was served
// since is rounded up. A step ends at the first whole picosecond at which its remainder is zero. At that instant the
// whole pool is settled, and every step whose remainder is zero ends. If rounding alone makes a remainder zero, while
// no step ends, that step ends a picosecond later.

namespace gdsim {

/// The weight of threads that share a resource that cannot serve them all.
///
/// Threads of a kernel with a draw are first and last alternately, step by step, in the memory, at the issue slots of
/// their engine and at the banks of SLM; others are neither. A step that represents all iterations of a loop is
/// neither, too: over many iterations, each thread is first as often as last. No memory serves all cores and channels
/// evenly, and engines that schedule by age do not serve all threads evenly (Intel's do so by default: i915 in
/// torvalds/linux at 73c7a8a8, add_render_compute_tuning_settings).
///
/// With 1 to 3, the times of work-groups that read once, at the same moment, spread by 20 % (standard deviation /
/// mean). Thread traces of short kernels show 17 to 19 % (RDNA 4, tinygrad/tinygrad@f8de1939).
enum class ShareWeight : std::uint8_t { last = 1, neither = 2, first = 3 };

/// Returns the weight as a number, see FairPool.
inline constexpr std::uint32_t number_of(ShareWeight weight) { return static_cast<std::uint32_t>(weight); }

}  // namespace gdsim
