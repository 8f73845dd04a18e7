#pragma once

#include <gdsim/base/decimal.hpp>

#include <cstdint>

namespace gdsim {

/// Parts of which sums of probabilities consist: exact up to one part for each.
inline constexpr std::uint64_t kCertain = 1'000'000'000'000;

/// Decisions, and what a random choice among the cores with room would give.
struct ChanceLevel {
  std::uint64_t decisions = 0;
  UInt128 expected = 0;  ///< right ones, in 1 / kCertain

  void add(std::uint32_t candidates, bool fits) {
    ++decisions;
    if (fits) expected += kCertain / candidates;
  }
  /// The expected share.
  Ratio share() const { return {expected, decisions == 0 ? 1 : UInt128{decisions} * kCertain}; }
};

/// How many bits it says against chance that `right` of the decisions are right: chance gives so many or more with
/// a probability of at most 2^-bits. Chernoff's bound, which holds for decisions of different probabilities, rounded
/// down.
std::uint64_t bits_against_chance(const ChanceLevel& chance, std::uint64_t right);

/// The smallest number of bits that so many alternatives have.
std::uint64_t bits_of_choice(std::uint64_t alternatives);

/// One rule is right where another is not `more` times, and the other way round `less` times: more than chance gives
/// in one of twenty cases.
bool are_distinguishable(std::uint64_t more, std::uint64_t less);

/// Of two rules, which are right so often, and together in `both` decisions: the better one is right wherever the other
/// is, and somewhere else, too; or the decisions in which only one of them is right distinguish them.
bool is_distinguishably_better(std::uint64_t better, std::uint64_t other, std::uint64_t both);

}  // namespace gdsim
