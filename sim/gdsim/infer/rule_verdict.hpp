#pragma once

#include <gdsim/infer/inference.hpp>
#include <gdsim/infer/rule_space.hpp>

#include <cstdint>
#include <vector>

namespace gdsim {

/// The minimum of right decisions, out of 10 open ones, with which a rule explains a log.
inline constexpr std::uint64_t kMinRight = 9;
inline constexpr std::uint64_t kMinRightOf = 10;
/// The minimum evidence against chance, all combinations together: a probability below 2^-kMinBits.
inline constexpr std::uint64_t kMinBits = 10;

/// Returns true if the right decisions are enough, and more than chance gives for the best of `alternatives` rules.
bool explains(const ChanceLevel& chance, std::uint64_t right, std::uint64_t alternatives);

/// Returns true if the combination explains the whole log: before and after the first end, and more than chance.
bool explains(const RuleSpace& space, const RuleScore& score);

/// Selects, from scores with the best first, those that explain the log and that it does not distinguish from the best
/// of them (is_distinguishably_better(), or by the launches that only one of them explains exactly). Of combinations
/// that differ only in the recovery, keeps the first; of those that differ in the batch and are right in the same
/// decisions, the simplest, with their number.
std::vector<RuleScore> fitting(const RuleSpace& space, const std::vector<RuleScore>& scores);

/// Returns the keys of `dispatch` that the combination sets.
RuleKeys rule_keys(const RuleSpace& space, const RuleScore& score);

/// Returns the verdicts on parts of the log, replayed with one of the recoveries (its position): on the first wave and
/// on replacements, and on each launch if there are few.
std::vector<PartVerdict> part_verdicts(const RuleSpace& space, std::uint32_t recovery);

}  // namespace gdsim
