#pragma once

#include <gdsim/infer/inference.hpp>
#include <gdsim/infer/rule_space.hpp>

#include <optional>
#include <string>
#include <vector>

namespace gdsim {

/// The first decision of the log, session by session in the order of time, for which these rules choose another core.
std::optional<WrongDecision> first_wrong_decision(const RuleSpace& space, const RuleScore& score);

/// The launches for which these rules differ from the log in some decision, in the order of the log.
std::vector<std::string> inexact_launches(const RuleSpace& space, const RuleScore& score);

}  // namespace gdsim
