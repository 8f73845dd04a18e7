#pragma once

#include <gdsim/base/quantity.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>

namespace gdsim {

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
