#pragma once

#include <cstdint>

namespace gdsim {

/// The proportion in which threads share a resource that cannot serve them all.
///
/// Threads of a kernel with a draw are first and last in turn, step by step, in the memory, at the issue slots of their
/// engine and at the banks of SLM; others are neither, nor is a step that stands for all iterations of a loop: over
/// many, each thread is first as often as last. No memory serves all cores and channels evenly, and engines that go by
/// age do not serve all threads evenly (Intel's do by default: i915 in torvalds/linux at 73c7a8a8,
/// add_render_compute_tuning_settings).
///
/// 1 to 3 lets the times of work-groups that read at the same moment, once, spread by 20 % (standard deviation / mean).
/// Thread traces of short kernels show 17 to 19 % (RDNA 4, tinygrad/tinygrad@f8de1939).
enum class ShareWeight : std::uint8_t { last = 1, neither = 2, first = 3 };

/// As a number, see FairPool.
inline constexpr std::uint32_t number_of(ShareWeight weight) { return static_cast<std::uint32_t>(weight); }

}  // namespace gdsim
