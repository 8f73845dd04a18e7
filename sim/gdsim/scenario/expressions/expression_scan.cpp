#include <gdsim/scenario/expressions/expression_scan.hpp>

#include <gdsim/base/decimal.hpp>
#include <gdsim/base/text.hpp>

#include <algorithm>
#include <array>

namespace gdsim {
namespace {

constexpr std::size_t kMaxLength = 1'000;
constexpr int kMaxDepth = 50;
constexpr std::array<std::string_view, 7> kFunctions{"min", "max", "ceil", "floor", "log2", "sqrt", "if"};
constexpr std::array<std::string_view, 4> kTwoSigns{"<=", ">=", "==", "!="};

bool is_digit(char c) { return c >= '0' && c <= '9'; }
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
