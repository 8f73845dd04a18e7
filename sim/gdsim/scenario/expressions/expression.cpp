#include <gdsim/scenario/expressions/expression.hpp>

#include <gdsim/base/decimal.hpp>
#include <gdsim/base/text.hpp>

#include <fmt/format.h>
#include <muParser.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace gdsim {
namespace {

using mu::value_type;

/// The reason why there is no value. It is the payload of a NaN and propagates to all dependent values, except those
/// that `if` does not select.
enum class NoValue : std::uint8_t { division_by_zero, outside_domain, not_exact };

value_type no_value(NoValue why) {
  return std::nan(why == NoValue::division_by_zero ? "1" : why == NoValue::outside_domain ? "2" : "3");
}

const char* words_for(value_type nan) {
  for (const auto& [why, words] :
       {std::pair(NoValue::division_by_zero, "it divides by 0"),
        std::pair(NoValue::outside_domain, "it takes a root or a logarithm that does not exist")}) {
    const value_type known = no_value(why);
    if (std::equal(reinterpret_cast<const char*>(&nan), reinterpret_cast<const char*>(&nan + 1),
                   reinterpret_cast<const char*>(&known)))
      return words;
  }
  return "it leaves the numbers that are exact, 2^53 = 9007199254740992 at most";
}

bool is_whole(value_type value) { return value == std::floor(value); }

/// Returns the result, or no value beyond 2^53. At 2^53 itself, the result must be exact.
value_type checked(value_type result, bool is_exact) {
  const value_type size = std::abs(result);
  return size < kMaxExactWhole || (size == kMaxExactWhole && is_exact) ? result : no_value(NoValue::not_exact);
}

/// Combines two values. If an operand has no value, the result is that operand.
template <class Operate>
value_type combine(value_type a, value_type b, Operate operate) {
  if (std::isnan(a)) return a;
  if (std::isnan(b)) return b;
  return operate(a, b);
}

value_type add(value_type a, value_type b) {
  return combine(a, b, [](value_type x, value_type y) {
    const value_type sum = x + y;
    return checked(sum, sum - x == y && sum - y == x);
  });
}
value_type subtract(value_type a, value_type b) { return add(a, std::isnan(b) ? b : -b); }
value_type multiply(value_type a, value_type b) {
  return combine(a, b, [](value_type x, value_type y) {
    const value_type product = x * y;
    return checked(product, std::fma(x, y, -product) == 0);
  });
}
value_type divide(value_type a, value_type b) {
  return combine(a, b, [](value_type x, value_type y) {
    if (y == 0) return no_value(NoValue::division_by_zero);
    const value_type quotient = x / y;
    return checked(quotient, std::fma(quotient, y, -x) == 0);
  });
}
/// Computes whole powers of whole numbers by multiplication, which is exact on every platform.
value_type power(value_type a, value_type b) {
  return combine(a, b, [](value_type x, value_type y) {
    if (x == 0 && y < 0) return no_value(NoValue::division_by_zero);
    if (x < 0 && !is_whole(y)) return no_value(NoValue::outside_domain);
    if (!is_whole(x) || !is_whole(y) || std::abs(x) <= 1 || std::abs(y) > 64) return checked(std::pow(x, y), false);
    value_type result = 1;
    for (value_type i = 0; i < std::abs(y) && !std::isnan(result); ++i) result = multiply(result, x);
    return y < 0 && !std::isnan(result) ? 1 / result : result;
  });
}
value_type negate(value_type a) { return std::isnan(a) ? a : -a; }

value_type less(value_type a, value_type b) {
  return combine(a, b, [](value_type x, value_type y) -> value_type { return x < y; });
}
value_type less_or_equal(value_type a, value_type b) {
  return combine(a, b, [](value_type x, value_type y) -> value_type { return x <= y; });
}
value_type greater(value_type a, value_type b) { return less(b, a); }
value_type greater_or_equal(value_type a, value_type b) { return less_or_equal(b, a); }
value_type equal(value_type a, value_type b) {
  return combine(a, b, [](value_type x, value_type y) -> value_type { return x == y; });
}
value_type not_equal(value_type a, value_type b) {
  return combine(a, b, [](value_type x, value_type y) -> value_type { return x != y; });
}

/// Computes the remainder, exactly for whole numbers. It has the sign of `b`, so that mod(-1, 4) is 3.
value_type modulo(value_type a, value_type b) {
  return combine(a, b, [](value_type x, value_type y) {
    if (y == 0) return no_value(NoValue::division_by_zero);
    const value_type remainder = std::fmod(x, y);
    return remainder != 0 && (remainder < 0) != (y < 0) ? add(remainder, y) : remainder;
  });
}

value_type min_of(const value_type* values, int count) {
  value_type min = values[0];
  for (int i = 1; i < count; ++i)
    min = combine(min, values[i], [](value_type x, value_type y) { return std::min(x, y); });
  return min;
}
value_type max_of(const value_type* values, int count) {
  value_type greatest = values[0];
  for (int i = 1; i < count; ++i)
    greatest = combine(greatest, values[i], [](value_type x, value_type y) { return std::max(x, y); });
  return greatest;
}
value_type round_up(value_type a) { return std::isnan(a) ? a : std::ceil(a); }
value_type round_down(value_type a) { return std::isnan(a) ? a : std::floor(a); }
/// Computes the logarithm, exactly for powers of two.
value_type log_2(value_type a) {
  if (std::isnan(a)) return a;
  if (a <= 0) return no_value(NoValue::outside_domain);
  int exponent = 0;
  return std::frexp(a, &exponent) == 0.5 ? exponent - 1 : std::log2(a);
}
value_type root(value_type a) {
  if (std::isnan(a)) return a;
  return a < 0 ? no_value(NoValue::outside_domain) : std::sqrt(a);
}
value_type choose(value_type condition, value_type a, value_type b) {
  if (std::isnan(condition)) return condition;
  return condition != 0 ? a : b;
}

/// Makes a muParser with this project's operators instead of its own, which would lose digits silently.
mu::Parser make_parser() {
  mu::Parser parser;
  parser.ClearFun();
  parser.ClearConst();
  parser.ClearOprt();
  parser.ClearInfixOprt();
  parser.ClearPostfixOprt();
  parser.EnableBuiltInOprt(false);
  parser.EnableOptimizer(false);
  parser.DefineNameChars("0123456789_.abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
  parser.DefineInfixOprt("-", negate);
  parser.DefineOprt("+", add, mu::prADD_SUB);
  parser.DefineOprt("-", subtract, mu::prADD_SUB);
  parser.DefineOprt("*", multiply, mu::prMUL_DIV);
  parser.DefineOprt("/", divide, mu::prMUL_DIV);
  parser.DefineOprt("^", power, mu::prPOW, mu::oaRIGHT);
  parser.DefineOprt("<", less, mu::prCMP);
  parser.DefineOprt("<=", less_or_equal, mu::prCMP);
  parser.DefineOprt(">", greater, mu::prCMP);
  parser.DefineOprt(">=", greater_or_equal, mu::prCMP);
  parser.DefineOprt("==", equal, mu::prCMP);
  parser.DefineOprt("!=", not_equal, mu::prCMP);
  parser.DefineFun("min", min_of, false);
  parser.DefineFun("max", max_of, false);
  parser.DefineFun("ceil", round_up, false);
  parser.DefineFun("floor", round_down, false);
  parser.DefineFun("log2", log_2, false);
  parser.DefineFun("sqrt", root, false);
  parser.DefineFun("if", choose, false);
  parser.DefineFun("mod", modulo, false);
  return parser;
}

std::string words_for(const mu::ParserError& error) {
  const std::string token = error.GetToken();
  switch (error.GetCode()) {
    case mu::ecUNEXPECTED_EOF: return "a value is missing at its end";
    case mu::ecMISSING_PARENS: return "a ')' is missing";
    case mu::ecTOO_MANY_PARAMS: return in_quotes(token) + " has too many arguments";
    case mu::ecTOO_FEW_PARAMS: return in_quotes(token) + " has too few arguments";
    default: return token.empty() ? "it cannot be read from here on" : in_quotes(token) + " is not expected here";
  }
}

}  // namespace

class Expression::Formula {
 public:
  explicit Formula(std::string_view text) : scan_(scan_expression(text)), parser_(make_parser()) {
    values_.resize(scan_.names.size());
    try {
      for (std::size_t i = 0; i < values_.size(); ++i) parser_.DefineVar(scan_.names[i].text, &values_[i]);
      parser_.SetExpr(std::string(text));
      parser_.Eval();  // compiles it
    } catch (const mu::ParserError& error) {
      throw ExpressionError(std::min(static_cast<std::size_t>(std::max(error.GetPos(), 0)), text.size()),
                            words_for(error));
    }
    int count = 0;
    parser_.Eval(count);
    if (count != 1) throw ExpressionError(0, "it has " + std::to_string(count) + " values; one is needed");
  }

  const std::vector<Name>& names() const { return scan_.names; }

  double value(const std::vector<double>& values) {
    values_.assign(values.begin(), values.end());
    const double result = parser_.Eval();
    if (!std::isfinite(result)) throw ExpressionError(0, words_for(result));
    return result;
  }

 private:
  ExpressionScan scan_;
  std::vector<double> values_;  ///< of the names; the parser holds their addresses
  mu::Parser parser_;
};

Expression::Expression(std::string_view text) : formula_(std::make_unique<Formula>(text)) {}
Expression::~Expression() = default;
Expression::Expression(Expression&&) noexcept = default;
Expression& Expression::operator=(Expression&&) noexcept = default;

const std::vector<Expression::Name>& Expression::names() const { return formula_->names(); }
double Expression::value(const std::vector<double>& values) const { return formula_->value(values); }

std::string number_text(double value) {
  return is_whole(value) ? fmt::format("{:.0f}", value == 0 ? 0.0 : value) : fmt::format("{:.15g}", value);
}

namespace {

constexpr std::size_t kMaxLength = 1'000;
constexpr int kMaxDepth = 50;
constexpr std::array<std::string_view, 7> kFunctions{"min", "max", "ceil", "floor", "log2", "sqrt", "if"};
constexpr std::array<std::string_view, 4> kTwoSigns{"<=", ">=", "==", "!="};

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  ExpressionScan run() {
    if (text_.size() > kMaxLength)
      throw ExpressionError(0, "it has " + std::to_string(text_.size()) + " bytes; at most " +
                                   std::to_string(kMaxLength) + " are allowed");
    while (at_ < text_.size()) step();
    return std::move(scan_);
  }

 private:
  void step() {
    const char c = text_[at_];
    if (is_letter(c)) {
      name();
    } else if (is_digit(c) || c == '.') {
      number();
    } else {
      sign(c);
    }
  }

  /// Reads a name, which may have dots: `device.cores`.
  void name() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]) || text_[at_] == '.')) ++at_;
    const std::string_view found = text_.substr(begin, at_ - begin);
    std::size_t next = at_;
    while (next < text_.size() && text_[next] == ' ') ++next;
    const bool has_bracket = next < text_.size() && text_[next] == '(';
    if (found == "mod" && has_bracket) return;
    if (is_expression_function(found)) {
      if (!has_bracket) throw ExpressionError(begin, in_quotes(found) + " is a function: a '(' belongs behind it");
      return;
    }
    const auto same = [&](const Expression::Name& known) { return known.text == found; };
    if (std::none_of(scan_.names.begin(), scan_.names.end(), same)) scan_.names.push_back({std::string(found), begin});
  }

  void number() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && (is_digit(text_[at_]) || text_[at_] == '.')) ++at_;
    if (at_ < text_.size() && (text_[at_] == 'e' || text_[at_] == 'E')) {
      ++at_;
      if (at_ < text_.size() && (text_[at_] == '+' || text_[at_] == '-')) ++at_;
      while (at_ < text_.size() && is_digit(text_[at_])) ++at_;
    }
    const std::string found(text_.substr(begin, at_ - begin));
    const Parsed<Decimal> parsed = parse_decimal(found);
    if (!parsed.value) throw ExpressionError(begin, in_quotes(found) + " " + parsed.problem);
    if (compare(*parsed.value, Decimal::whole(static_cast<std::uint64_t>(kMaxExactWhole))) > 0)
      throw ExpressionError(begin, in_quotes(found) +
                                       " is more than 2^53 = 9007199254740992, beyond which not every "
                                       "whole number is exact");
    if (at_ < text_.size() && is_letter(text_[at_]))
      throw ExpressionError(at_, "a sign such as '*' is missing behind " + in_quotes(found));
  }

  void sign(char c) {
    const std::string_view two = text_.substr(at_, 2);
    if (std::find(kTwoSigns.begin(), kTwoSigns.end(), two) != kTwoSigns.end()) {
      at_ += 2;
      return;
    }
    if (c == '=') throw ExpressionError(at_, "a comparison is written '=='");
    if (c == '?') throw ExpressionError(at_, "'?' is not known; write if(condition, a, b)");
    if (std::string_view("+-*/^()<>, ").find(c) == std::string_view::npos)
      throw ExpressionError(at_, in_quotes(std::string(1, c)) +
                                     " is not known; an expression has + - * / ^ ( ), comparisons, min, max, ceil, "
                                     "floor, log2, sqrt, mod(a, b) and if(c, a, b)");
    if (c == '(' && ++depth_ > kMaxDepth)
      throw ExpressionError(at_, "brackets are nested deeper than " + std::to_string(kMaxDepth) + " levels");
    if (c == ')' && --depth_ < 0) throw ExpressionError(at_, "this ')' closes nothing");
    if (c == ',' && depth_ == 0) throw ExpressionError(at_, "',' separates arguments of a function; none is open here");
    ++at_;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int depth_ = 0;
  ExpressionScan scan_;
};

}  // namespace

bool is_expression_name(std::string_view text) {
  return !text.empty() && is_letter(text.front()) &&
         std::all_of(text.begin(), text.end(), [](char c) { return is_letter(c) || is_digit(c); });
}

bool is_expression_function(std::string_view text) {
  return std::find(kFunctions.begin(), kFunctions.end(), text) != kFunctions.end();
}

ExpressionScan scan_expression(std::string_view text) { return Scanner(text).run(); }

}  // namespace gdsim
