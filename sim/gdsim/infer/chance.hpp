#pragma once

#include <gdsim/base/decimal.hpp>

#include <cstdint>

namespace gdsim {

/// The unit of sums of probabilities, which are exact up to one part for each summand.
inline constexpr std::uint64_t kCertain = 1'000'000'000'000;

/// Decisions, and the expected result of a random choice among the cores with room.
struct ChanceLevel {
  std::uint64_t decisions = 0;
  UInt128 expected = 0;  ///< expected right ones, in 1 / kCertain

  void add(std::uint32_t candidates, bool fits) {
    ++decisions;
    if (fits) expected += kCertain / candidates;
  }
  /// Returns the expected share.
  Ratio share() const { return {expected, decisions == 0 ? 1 : UInt128{decisions} * kCertain}; }
};

/// Returns the evidence against chance, in bits, if `right` of the decisions are right: chance gives at least this
/// number of right ones with a probability of at most 2^-bits. Uses Chernoff's bound, which holds for decisions of
/// different probabilities, rounded down.
std::uint64_t bits_against_chance(const ChanceLevel& chance, std::uint64_t right);

/// Returns the minimum number of bits for this number of alternatives.
std::uint64_t bits_of_choice(std::uint64_t alternatives);

/// Returns true if the difference of two rules exceeds what chance gives in one of twenty cases. `more` decisions are
/// right by the first rule only, `less` by the second only.
bool are_distinguishable(std::uint64_t more, std::uint64_t less);

/// Returns true if the better of two rules, which share `both` right decisions, is right wherever the other one is and
/// in at least one more decision; or if the decisions in which only one of them is right distinguish them.
bool is_distinguishably_better(std::uint64_t better, std::uint64_t other, std::uint64_t both);

}  // namespace gdsim
