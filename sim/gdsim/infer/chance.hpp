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
  /// The expected share.
  Ratio share() const { return {expected, decisions == 0 ? 1 : UInt128{decisions} * kCertain}; }
};

/// The evidence against chance, in bits, if `right` of the decisions are right: chance gives this number or more with a
/// probability of at most 2^-bits. Chernoff's bound, which holds for decisions of different probabilities, rounded
/// down.
std::uint64_t bits_against_chance(const ChanceLevel& chance, std::uint64_t right);

/// The smallest number of bits for that number of alternatives.
std::uint64_t bits_of_choice(std::uint64_t alternatives);

/// Returns true if a rule that is right where another one is wrong `more` times, and wrong where it is right `less`
/// times, exceeds what chance gives in one of twenty cases.
bool are_distinguishable(std::uint64_t more, std::uint64_t less);

/// Returns true if the better of two rules, with `both` common right decisions, is right wherever the other one is, and
/// somewhere else, too; or if the decisions in which only one of them is right distinguish them.
bool is_distinguishably_better(std::uint64_t better, std::uint64_t other, std::uint64_t both);

}  // namespace gdsim
