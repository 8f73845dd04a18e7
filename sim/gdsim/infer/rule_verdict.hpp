#pragma once

#include <gdsim/infer/inference.hpp>
#include <gdsim/infer/rule_space.hpp>

#include <cstdint>
#include <vector>

namespace gdsim {

/// A rule that is right in fewer of the decisions that are open does not explain them: 9 of 10.
inline constexpr std::uint64_t kMinRight = 9;
inline constexpr std::uint64_t kMinRightOf = 10;
/// Chance may give as much with a probability of less than 2^-kMinBits, all combinations together.
inline constexpr std::uint64_t kMinBits = 10;

/// So many decisions right are enough, and more than chance gives where the best of `alternatives` rules is taken.
bool explains(const ChanceLevel& chance, std::uint64_t right, std::uint64_t alternatives);

/// The combination explains the whole log: before and behind the first end, and more than chance.
bool explains(const RuleSpace& space, const RuleScore& score);

/// Of scores, the best first: those that explain the log, and that the log does not distinguish from the best of them
/// (is_distinguishably_better(), or by the launches that only one of them explains exactly). Of combinations that
/// differ in the recovery alone, the first; of those that differ in the batch and are right in the same decisions, the
/// simplest, and how many there are.
std::vector<RuleScore> fitting(const RuleSpace& space, const std::vector<RuleScore>& scores);

/// The keys of `dispatch` that the combination sets.
RuleKeys rule_keys(const RuleSpace& space, const RuleScore& score);

/// What can be said of parts of the log, replayed with one of the recoveries (its position): of the first wave and of
/// replacements, of each launch where there are few.
std::vector<PartVerdict> part_verdicts(const RuleSpace& space, std::uint32_t recovery);

}  // namespace gdsim
