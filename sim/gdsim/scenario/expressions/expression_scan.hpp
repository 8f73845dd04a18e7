#pragma once

#include <gdsim/scenario/expressions/expression.hpp>

#include <string_view>
#include <vector>

namespace gdsim {

/// The facts about an expression that are known before it is parsed.
struct ExpressionScan {
  std::vector<Expression::Name> names;  ///< each once, in the order in which they first appear
};

/// Refuses input that the expression parser must not see: operators that the parser has and expressions do not, numbers
/// that are not exact, texts that are too long or too deeply nested. Throws ExpressionError.
ExpressionScan scan_expression(std::string_view text);

}  // namespace gdsim
