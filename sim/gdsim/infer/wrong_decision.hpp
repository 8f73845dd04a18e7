#pragma once

#include <gdsim/infer/inference.hpp>
#include <gdsim/infer/rule_space.hpp>

#include <optional>
#include <string>
#include <vector>

namespace gdsim {

/// The first decision of the log, session by session in the order of time, in which these rules choose another core.
std::optional<WrongDecision> first_wrong_decision(const RuleSpace& space, const RuleScore& score);

/// The launches of which these rules do not make every decision as the log has it, in its order.
std::vector<std::string> inexact_launches(const RuleSpace& space, const RuleScore& score);

}  // namespace gdsim
