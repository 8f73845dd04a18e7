#include <gdsim/points/point_space.hpp>

#include <gdsim/base/decimal.hpp>
#include <gdsim/base/diagnostic.hpp>
#include <gdsim/base/text.hpp>
#include <gdsim/model/draws.hpp>
#include <gdsim/scenario/expressions/parameters.hpp>
#include <gdsim/scenario/keys/map_reader.hpp>

#include <algorithm>
#include <cctype>
#include <numeric>
#include <optional>
#include <set>

namespace gdsim {
namespace {

/// Whole numbers below a bound, one after the other, from independent streams.
class RandomNumbers {
 public:
  RandomNumbers(std::uint32_t stream, std::uint64_t seed) : stream_(stream), seed_(seed) {}

  std::uint64_t below(std::uint64_t bound) {
    const auto low = static_cast<std::uint32_t>(count_);
    const auto high = static_cast<std::uint32_t>(count_ >> 32);
    ++count_;
    return static_cast<std::uint64_t>((UInt128{first_word(philox({low, high, stream_, 0}, seed_))} * bound) >> 64);
  }

 private:
  std::uint32_t stream_;
  std::uint64_t seed_;
  std::uint64_t count_ = 0;
};

/// 0 to count - 1 in random order.
std::vector<std::uint64_t> permutation(std::uint64_t count, RandomNumbers random) {
  std::vector<std::uint64_t> order(count);
  std::iota(order.begin(), order.end(), std::uint64_t{0});
  for (std::uint64_t i = count; i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  return order;
}

}  // namespace

std::vector<std::uint64_t> latin_hypercube(const std::vector<std::uint64_t>& sizes, std::uint64_t count,
                                           std::uint64_t seed) {
  std::vector<std::uint64_t> drawn(count);
  std::uint64_t size = 1;
  for (std::size_t axis = 0; axis < sizes.size(); ++axis) {
    const auto order = permutation(count, {static_cast<std::uint32_t>(axis), seed});
    for (std::uint64_t i = 0; i < count; ++i)
      drawn[i] = drawn[i] * sizes[axis] + static_cast<std::uint64_t>(UInt128{order[i]} * sizes[axis] / count);
    size *= sizes[axis];
  }
  std::set<std::uint64_t> points(drawn.begin(), drawn.end());
  RandomNumbers random(static_cast<std::uint32_t>(sizes.size()), seed);
  for (std::uint64_t tries = 0; points.size() < count && tries < 16 * count; ++tries) points.insert(random.below(size));
  for (std::uint64_t ordinal = 0; points.size() < count; ++ordinal) points.insert(ordinal);
  return {points.begin(), points.end()};
}

namespace {

constexpr std::uint64_t kMaxPoints = std::uint64_t{1} << 62;
constexpr std::uint64_t kMaxSample = 1'000'000;

}  // namespace

PointSpace::PointSpace(std::vector<Axis> axes, PointRules rules) : axes_(std::move(axes)), rules_(std::move(rules)) {
  if (axes_.empty())
    throw InputError("a sweep varies something: --vary NAME=LIST is needed, as in --vary tile=8,16,32");
  for (std::size_t i = 0; i < axes_.size(); ++i)
    for (std::size_t k = 0; k < i; ++k)
      if (axes_[k].name == axes_[i].name) throw InputError("--vary " + axes_[i].name + " was given twice");
  if (rules_.zip) {
    size_ = axes_.front().values.size();
    for (const Axis& axis : axes_)
      if (axis.values.size() != size_)
        throw InputError("--zip pairs lists of equal length; " + axes_.front().name + " has " + std::to_string(size_) +
                         " values, " + axis.name + " " + std::to_string(axis.values.size()));
    strides_.assign(axes_.size(), 1);
  } else {
    strides_.resize(axes_.size());
    for (std::size_t i = axes_.size(); i-- > 0;) {
      strides_[i] = size_;
      if (__builtin_mul_overflow(size_, axes_[i].values.size(), &size_) || size_ > kMaxPoints)
        throw InputError("the product of the lists has more than 2^62 points");
    }
  }
  if (!rules_.where.empty()) read_condition();
  if (rules_.sample) draw_sample();
}

std::size_t PointSpace::index(std::uint64_t ordinal, std::size_t axis) const {
  return static_cast<std::size_t>(ordinal / strides_[axis] % axes_[axis].values.size());
}

std::optional<std::uint64_t> PointSpace::ordinal(const std::vector<std::size_t>& indices) const {
  std::uint64_t found = 0;
  for (std::size_t i = 0; i < axes_.size(); ++i) {
    if (rules_.zip && indices[i] != indices.front()) return std::nullopt;
    found += rules_.zip ? 0 : indices[i] * strides_[i];
  }
  return rules_.zip ? indices.front() : found;
}

std::string PointSpace::name_of(std::uint64_t ordinal) const {
  std::string text;
  for (std::size_t i = 0; i < axes_.size(); ++i) text += (i > 0 ? ", " : "") + axes_[i].name + "=" + value(ordinal, i);
  return text;
}

void PointSpace::read_condition() {
  const auto fail = [&](const std::string& message) {
    throw InputError("--where " + in_quotes(rules_.where) + ": " + message);
  };
  try {
    where_.emplace(rules_.where);
  } catch (const ExpressionError& error) {
    fail("column " + std::to_string(error.position() + 1) + ": " + error.what());
  }
  numbers_.resize(axes_.size());
  for (const Expression::Name& name : where_->names()) {
    Operand operand;
    std::vector<std::string_view> known;
    for (std::size_t i = 0; i < axes_.size(); ++i) {
      known.push_back(axes_[i].name);
      if (axes_[i].name == name.text) operand.axis = i;
    }
    bool is_constant = false;
    for (const auto& [constant, value] : rules_.constants) {
      known.push_back(constant);
      if (operand.axis || constant != name.text) continue;
      operand.constant = value;
      is_constant = true;
    }
    if (!operand.axis && !is_constant)
      fail(in_quotes(name.text) + " is neither varied nor a parameter; " + known_names(name.text, known));
    if (operand.axis && numbers_[*operand.axis].empty())
      for (const std::string& value : axes_[*operand.axis].values) {
        const auto number = number_of(value);
        if (!number) fail("the value " + in_quotes(value) + " of " + in_quotes(name.text) + " is no number");
        numbers_[*operand.axis].push_back(*number);
      }
    operands_.push_back(operand);
  }
}

void PointSpace::draw_sample() {
  const std::uint64_t wanted = *rules_.sample;
  if (wanted > size_)
    throw InputError("--sample " + std::to_string(wanted) + ": there are only " + std::to_string(size_) + " points");
  if (wanted > kMaxSample)
    throw InputError("--sample " + std::to_string(wanted) + ": at most " + std::to_string(kMaxSample) +
                     " points can be drawn");
  std::vector<std::uint64_t> sizes{size_};
  if (!rules_.zip) {
    sizes.clear();
    for (const Axis& axis : axes_) sizes.push_back(axis.values.size());
  }
  sample_ = latin_hypercube(sizes, wanted, rules_.seed);
}

bool PointSpace::holds(std::uint64_t ordinal) const {
  if (!where_) return true;
  std::vector<double> values;
  for (const Operand& operand : operands_)
    values.push_back(operand.axis ? numbers_[*operand.axis][index(ordinal, *operand.axis)] : operand.constant);
  try {
    return where_->value(values) != 0;
  } catch (const ExpressionError& error) {
    throw InputError("--where " + in_quotes(rules_.where) + ": at " + name_of(ordinal) + ": " + error.what());
  }
}

bool PointSpace::contains(std::uint64_t ordinal) const {
  return ordinal < size_ && (!rules_.sample || std::binary_search(sample_.begin(), sample_.end(), ordinal)) &&
         holds(ordinal);
}

std::optional<std::uint64_t> PointSpace::next(std::uint64_t ordinal) const {
  if (rules_.sample) {
    for (auto at = std::lower_bound(sample_.begin(), sample_.end(), ordinal); at != sample_.end(); ++at)
      if (holds(*at)) return *at;
    return std::nullopt;
  }
  for (; ordinal < size_; ++ordinal)
    if (holds(ordinal)) return ordinal;
  return std::nullopt;
}

std::uint64_t PointSpace::count() const {
  if (!where_) return rules_.sample ? sample_.size() : size_;
  std::uint64_t found = 0;
  for (auto ordinal = next(0); ordinal; ordinal = next(*ordinal + 1)) ++found;
  return found;
}

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
      const std::size_t end = end_of_item(list, separator);
      add_item(trimmed(list.substr(0, end)));
      if (end == std::string_view::npos) return;
      list.remove_prefix(end + 1);
    }
  }

 private:
  /// The first separator outside of brackets.
  static std::size_t end_of_item(std::string_view list, char separator) {
    int open = 0;
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (list[i] == '[' || list[i] == '{') ++open;
      if ((list[i] == ']' || list[i] == '}') && open > 0) --open;
      if (list[i] == separator && open == 0) return i;
    }
    return std::string_view::npos;
  }

  [[noreturn]] void fail(const std::string& message) const {
    throw InputError("--vary " + axis_.name + ": " + message);
  }

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
