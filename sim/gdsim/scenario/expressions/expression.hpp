#pragma once

#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace gdsim {

/// The number up to which every whole number is exact: 2^53.
inline constexpr double kMaxExactWhole = 9007199254740992.0;

/// Thrown for a text that is not an expression, or an expression without a value.
class ExpressionError : public std::runtime_error {
 public:
  ExpressionError(std::size_t position, const std::string& message)
      : std::runtime_error(message), position_(position) {}

  /// Returns the position in the text, in bytes from its beginning.
  std::size_t position() const { return position_; }

 private:
  std::size_t position_;
};

/// A formula over named numbers: `+ - * / ^ ( )`, comparisons (1 if they hold, 0 if not), and the functions min, max,
/// ceil, floor, log2, sqrt, mod(a, b) and if(c, a, b). Whole numbers are exact: a result beyond 2^53 has no value. At
/// most 1,000 bytes and 50 nested brackets.
///
/// Not thread-safe.
class Expression {
 public:
  /// Throws ExpressionError if `text` is not an expression.
  explicit Expression(std::string_view text);
  ~Expression();
  Expression(Expression&&) noexcept;
  Expression& operator=(Expression&&) noexcept;

  /// A name that the expression uses, and the position where it first appears.
  struct Name {
    std::string text;
    std::size_t position = 0;
  };
  /// Returns the names, each once, in the order in which they first appear.
  const std::vector<Name>& names() const;

  /// Returns the value, with the names' values at the same indices of `values`. Throws ExpressionError if there is
  /// none: a division by 0, a root or logarithm outside its domain, or an intermediate result beyond 2^53.
  double value(const std::vector<double>& values) const;

 private:
  class Formula;
  std::unique_ptr<Formula> formula_;
};

/// Returns true if an expression may use the name: letters, digits and underscores, not a digit first.
bool is_expression_name(std::string_view text);
/// Returns true for functions of expressions whose names no parameter may have. `mod` is not one of them: without a
/// bracket after it, it is a name.
bool is_expression_function(std::string_view text);

/// Writes an expression's value as a number: whole numbers exactly, others with 15 digits.
std::string number_text(double value);

/// The facts about an expression that are known before it is parsed.
struct ExpressionScan {
  std::vector<Expression::Name> names;  ///< each once, in the order in which they first appear
};

/// Refuses input that the expression parser must not see: operators that the parser has and expressions do not, numbers
/// that are not exact, texts that are too long or too deeply nested. Throws ExpressionError.
ExpressionScan scan_expression(std::string_view text);

}  // namespace gdsim
