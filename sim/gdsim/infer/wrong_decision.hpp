#pragma once

#include <gdsim/infer/inference.hpp>
#include <gdsim/infer/rule_space.hpp>

#include <optional>
#include <string>
#include <vector>

namespace gdsim {

/// Returns the log's first decision, by session and then time, for which these rules choose another core, or nullopt.
std::optional<WrongDecision> first_wrong_decision(const RuleSpace& space, const RuleScore& score);

/// Returns the launches for which these rules differ from the log in some decision, in the order of the log.
std::vector<std::string> inexact_launches(const RuleSpace& space, const RuleScore& score);

}  // namespace gdsim
