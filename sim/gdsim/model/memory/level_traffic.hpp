#pragma once

#include <gdsim/base/fraction.hpp>
#include <gdsim/model/memory/memory_mix.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

// Rule, to the byte: bytes of memory levels.
//
// A memory step counts where it begins: a level counts the step's bytes, times the share of the level at that time,
// rounded down to 2^-20 of a byte. The sum over a kernel's steps is rounded down to a whole byte.

namespace gdsim {

/// The bytes that the threads of each plan have requested from each memory level.
class LevelTraffic {
 public:
  /// Returns the bytes of a plan by level; empty: none.
  std::vector<Int128> of(std::size_t plan) const {
    std::vector<Int128> bytes;
    if (plan >= sums_.size()) return bytes;
    for (const UInt128 sum : sums_[plan]) bytes.push_back(static_cast<Int128>(sum >> kBits));
    return bytes;
  }

  void add(std::size_t plan, std::uint64_t bytes, const std::vector<Fraction>& shares) {
    if (plan >= sums_.size()) sums_.resize(plan + 1);
    std::vector<UInt128>& sums = sums_[plan];
    sums.resize(shares.size());
    for (std::size_t level = 0; level < shares.size(); ++level)
      sums[level] += part(UInt128{bytes} << kBits, shares[level]);
  }

 private:
  static constexpr unsigned kBits = 20;

  static UInt128 part(UInt128 bytes, const Fraction& share) {
    if (share.is_zero()) return 0;
    return share.is_one() ? bytes : bytes * share.numerator() / share.denominator();
  }

  std::vector<std::vector<UInt128>> sums_;  ///< by plan, then level
};

}  // namespace gdsim
