#include <gdsim/points/axis.hpp>

#include <gdsim/base/decimal.hpp>
#include <gdsim/base/diagnostic.hpp>
#include <gdsim/base/text.hpp>
#include <gdsim/scenario/expressions/parameters.hpp>
#include <gdsim/scenario/keys/map_reader.hpp>

#include <algorithm>
#include <cctype>
#include <optional>
#include <set>

namespace gdsim {
namespace {

constexpr std::string_view kExample = ", as in tile=8,16,32, tile=32..1024*2 or tile=64..512+64";

/// A number with a sign; 0 is not negative.
struct Signed {
  Decimal size;
  bool is_negative = false;

  bool is_positive() const { return !is_negative && !size.is_zero(); }
};

/// Returns -1, 0 or 1 if a is less than, equal to or greater than b.
int compare(const Signed& a, const Signed& b) {
  if (a.is_negative != b.is_negative) return a.is_negative ? -1 : 1;
  const int sizes = compare(a.size, b.size);
  return a.is_negative ? -sizes : sizes;
}

std::string to_text(const Signed& value) { return (value.is_negative ? "-" : "") + to_text(value.size); }

/// `64 KiB` as a number and a unit. parse_amount() returns nullopt if the text does not begin with a number.
struct Amount {
  Signed number;
  std::string unit;
};

bool is_digit_at(std::string_view text, std::size_t at) {
  return at < text.size() && std::isdigit(static_cast<unsigned char>(text[at])) != 0;
}

/// Returns the end of the exponent that begins at `at`, as in 1e3, 2.5E-2; `at` if there is none.
std::size_t end_of_exponent(std::string_view text, std::size_t at) {
  if (at >= text.size() || (text[at] != 'e' && text[at] != 'E')) return at;
  std::size_t end = at + 1;
  if (end < text.size() && (text[end] == '+' || text[end] == '-')) ++end;
  if (!is_digit_at(text, end)) return at;
  while (is_digit_at(text, end)) ++end;
  return end;
}

/// Returns the position of a range's step: a `*` or `+` after the dots that does not belong to an exponent.
std::size_t find_step(std::string_view item, std::size_t dots) {
  for (std::size_t at = dots + 2; at < item.size(); ++at) {
    if (item[at] == '*' || item[at] == '+') return at;
    if (is_digit_at(item, at)) at = std::max(at + 1, end_of_exponent(item, at + 1)) - 1;
  }
  return std::string_view::npos;
}

std::optional<Amount> parse_amount(std::string_view text) {
  const bool has_minus = text.starts_with('-');
  if (has_minus) text.remove_prefix(1);
  std::size_t end = 0;
  while (is_digit_at(text, end) || (end < text.size() && text[end] == '.')) ++end;
  if (end > 0) end = end_of_exponent(text, end);
  const auto number = parse_decimal(text.substr(0, end)).value;
  if (!number) return std::nullopt;
  return Amount{{*number, has_minus && !number->is_zero()}, std::string(trimmed(text.substr(end)))};
}

/// Converts both to the smaller exponent, so that their digits can be added. Returns false if that needs too many.
bool align(Decimal& a, Decimal& b) {
  constexpr UInt128 max = ~UInt128{0} / 10;
  while (a.exponent > b.exponent && a.digits <= max) a = {a.digits * 10, a.exponent - 1};
  while (b.exponent > a.exponent && b.digits <= max) b = {b.digits * 10, b.exponent - 1};
  return a.exponent == b.exponent;
}

/// Adds a non-negative step. Returns false if the sum needs too many digits.
bool add(Signed& value, Decimal step) {
  if (!align(value.size, step)) return false;
  if (!value.is_negative) return !__builtin_add_overflow(value.size.digits, step.digits, &value.size.digits);
  value.is_negative = value.size.digits > step.digits;
  value.size.digits = value.is_negative ? value.size.digits - step.digits : step.digits - value.size.digits;
  return true;
}

/// Multiplies by `factor`. Returns false if the product needs too many digits.
bool multiply(Signed& value, const Decimal& factor) {
  value.size.exponent += factor.exponent;
  return !__builtin_mul_overflow(value.size.digits, factor.digits, &value.size.digits);
}

class ListReader {
 public:
  explicit ListReader(Axis& axis) : axis_(axis) {}

  void read(std::string_view list) {
    require_plain(axis_.name);
    const char separator = list.find(';') != std::string_view::npos ? ';' : ',';
    while (true) {
      const std::size_t end = list.find(separator);
      add_item(trimmed(list.substr(0, end)));
      if (end == std::string_view::npos) return;
      list.remove_prefix(end + 1);
    }
  }

 private:
  [[noreturn]] void fail(const std::string& what) const { throw InputError("--vary " + axis_.name + ": " + what); }

  void add_item(std::string_view item) {
    if (item.empty()) fail("a value is empty" + std::string(kExample));
    const std::size_t dots = item.find("..");
    if (dots == std::string_view::npos || !parse_amount(item.substr(0, dots))) {
      add_value(std::string(item));
    } else {
      add_range(item, dots);
    }
  }

  void add_range(std::string_view item, std::size_t dots) {
    const std::string shown = in_quotes(item) + " ";
    const std::size_t sign = find_step(item, dots);
    if (sign == std::string_view::npos)
      fail(shown + "has no step; write " + std::string(item) + "*2 or " + std::string(item) + "+1");
    const auto first = parse_amount(trimmed(item.substr(0, dots)));
    const auto last = parse_amount(trimmed(item.substr(dots + 2, sign - dots - 2)));
    const auto step = parse_amount(trimmed(item.substr(sign + 1)));
    if (!first || !last || !step) fail(shown + "is no range of numbers" + std::string(kExample));
    const bool multiplies = item[sign] == '*';
    const std::string unit = last->unit.empty() ? step->unit : last->unit;
    const auto may_be = [&](const std::string& one) { return one.empty() || one == unit; };
    if (!may_be(first->unit) || !may_be(step->unit) || (multiplies && !last->unit.empty() && !step->unit.empty()))
      fail(shown + "mixes units; write 4 KiB..64 KiB*2, or 4..64*2 KiB");
    if (first->number.is_negative && !unit.empty())
      fail(shown + "begins below 0, where no quantity is; begin it at 0 " + unit + " or more");
    if (compare(first->number, last->number) > 0) fail(shown + "ends before it begins");
    if (multiplies ? compare(step->number, {Decimal::whole(1)}) <= 0 || !first->number.is_positive()
                   : !step->number.is_positive())
      fail(shown + "never ends: the step must be more than " +
           (multiplies ? "1, and the first value more than 0" : "0"));
    add_steps(first->number, last->number, step->number.size, multiplies, unit.empty() ? unit : " " + unit, shown);
  }

  void add_steps(Signed value, const Signed& last, const Decimal& step, bool multiplies, const std::string& unit,
                 const std::string& shown) {
    while (compare(value, last) <= 0) {
      add_value(to_text(value) + unit);
      if (!(multiplies ? multiply(value, step) : add(value, step)))
        fail(shown + "needs more digits than a number may have");
    }
  }

  /// Requires text without special characters, since values and names become cells of CSV tables.
  void require_plain(const std::string& text) const {
    Diagnostics problems;
    if (!number_of(text)) require_plain_name(text, "--vary " + axis_.name, {}, problems);
    problems.throw_if_any();
  }

  void add_value(std::string value) {
    require_plain(value);
    if (axis_.values.size() == kMaxAxisValues)
      fail("has more than " + std::to_string(kMaxAxisValues) + " values; --sample draws from several lists");
    if (!seen_.insert(value).second) fail("the value " + in_quotes(value) + " stands there twice");
    axis_.values.push_back(std::move(value));
  }

  Axis& axis_;
  std::set<std::string> seen_;
};

}  // namespace

Axis parse_axis(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos || trimmed(text.substr(0, equals)).empty())
    throw InputError("--vary " + in_quotes(text) + " is not NAME=LIST" + std::string(kExample));
  Axis axis{std::string(trimmed(text.substr(0, equals))), {}};
  ListReader(axis).read(text.substr(equals + 1));
  return axis;
}

}  // namespace gdsim
