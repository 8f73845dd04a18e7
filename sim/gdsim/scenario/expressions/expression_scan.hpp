#pragma once

#include <gdsim/scenario/expressions/expression.hpp>

#include <string_view>
#include <vector>

namespace gdsim {

/// What of an expression is known before it is parsed.
struct ExpressionScan {
  std::vector<Expression::Name> names;  ///< each once, in the order in which they first appear
};

/// Refuses what the parser of expressions must not see: signs that it knows and expressions do not, numbers that are
/// not exact, texts that are too long or too deeply nested. Throws ExpressionError.
ExpressionScan scan_expression(std::string_view text);

}  // namespace gdsim
