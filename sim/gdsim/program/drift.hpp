#pragma once

#include <gdsim/base/quantity.hpp>
#include <gdsim/workload/kernel.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace gdsim {

// Rule, to the picosecond: drift.
//
// The T threads of a full work-group are cut into min(n, floor(T / 4)) parts, at least one, if the kernel has a draw,
// the threads share something, and no barrier and no child keeps them together. Part p begins with thread ceil(p T /
// parts). n is 2; for the default draw it is 8, and each part has the factor that its first thread would draw for
// itself (`per: thread`). In loops, odd parts are served first where even ones are last.

/// Returns the number of work-items of this thread of a full work-group: fewer than a sub-group in the last thread, if
/// the size is no multiple. Smaller work-groups at edges are counted as if they were full.
std::uint32_t lanes_of(const Kernel& kernel, std::uint32_t thread);

/// Returns the threads at which the paths of a work-group's threads may differ: the first thread of every range that a
/// step names, and the first after it; and the last thread, if it has fewer work-items than others and executes
/// something for each of them. Ascending, from 0.
std::vector<std::uint32_t> first_threads(const Kernel& kernel);

/// Returns the parts of a work-group whose threads drift apart: the first thread of each, ascending, from 0. With one
/// part, its threads stay together.
///
/// Threads that share a resource and that no barrier synchronizes do not stay in step on hardware. Each could be
/// simulated separately; a few parts with opposite precedence in loops, which by default have different factors, are
/// enough to keep engines and memory as busy as many small work-groups do. A work-group of one part would leave its
/// core's engines idle while all its threads read.
///
/// A part has at least four threads. There are at most two parts if the kernel's draw is declared; at most eight, each
/// with its own factor, if it is the default.
std::vector<std::uint32_t> drift_parts(const Kernel& kernel);

// Times and amounts of work, multiplied by a drawn factor.

/// A factor in billionths.
enum class DrawnFactor : std::uint64_t {};
inline constexpr DrawnFactor kNoFactor{1'000'000'000};

/// Stands for a time that exceeds 63 bits.
inline constexpr std::uint64_t kTimeOverflow = std::numeric_limits<std::uint64_t>::max();

/// Returns true if `amount` x `factor` in billionths, plus one half of a whole, fits into 64 bits.
inline bool is_small_product(std::int64_t amount, DrawnFactor factor) {
  std::uint64_t product = 0;
  return !__builtin_mul_overflow(static_cast<std::uint64_t>(amount), static_cast<std::uint64_t>(factor), &product) &&
         !__builtin_add_overflow(product, static_cast<std::uint64_t>(kNoFactor) / 2, &product);
}

/// Returns a small product, rounded, halves up; at least 1.
inline std::uint64_t scaled_small(std::int64_t amount, DrawnFactor factor) {
  constexpr std::uint64_t one = static_cast<std::uint64_t>(kNoFactor);
  const std::uint64_t product = static_cast<std::uint64_t>(amount) * static_cast<std::uint64_t>(factor);
  return std::max<std::uint64_t>((product + one / 2) / one, 1);
}

/// Returns any product, rounded in the same way; kTimeOverflow if it exceeds 63 bits.
std::uint64_t scaled_wide(std::int64_t amount, DrawnFactor factor);

/// Returns `amount` x `factor`, rounded, halves up; at least 1, unless there is no factor. kTimeOverflow above 63 bits.
inline std::uint64_t saturating_scale(std::int64_t amount, DrawnFactor factor) {
  if (factor == kNoFactor) return static_cast<std::uint64_t>(amount);
  return is_small_product(amount, factor) ? scaled_small(amount, factor) : scaled_wide(amount, factor);
}

/// As above, but throws TimeOverflowError if it exceeds 63 bits.
inline std::int64_t scaled(std::int64_t amount, DrawnFactor factor) {
  const std::uint64_t product = saturating_scale(amount, factor);
  if (product == kTimeOverflow) [[unlikely]]
    detail::raise_time_overflow();
  return static_cast<std::int64_t>(product);
}

}  // namespace gdsim
