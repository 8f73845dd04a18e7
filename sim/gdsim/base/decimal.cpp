#include <gdsim/base/decimal.hpp>

#include <gdsim/base/check.hpp>
#include <gdsim/base/text.hpp>

#include <boost/multiprecision/cpp_int.hpp>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>

namespace gdsim {
namespace {

using Big = boost::multiprecision::cpp_int;

constexpr int kMaxDigits = 36;
constexpr int kMaxExponent = 60;

Big power_of_ten(int exponent) { return boost::multiprecision::pow(Big(10), static_cast<unsigned>(exponent)); }

/// An exact fraction of any size.
struct BigRatio {
  Big numerator = 1;
  Big denominator = 1;

  void multiply(const Decimal& value) {
    numerator *= Big(value.digits);
    (value.exponent < 0 ? denominator : numerator) *= power_of_ten(std::abs(value.exponent));
  }
  void multiply(Ratio value) {
    numerator *= Big(value.numerator);
    denominator *= Big(value.denominator);
  }
};

BigRatio exact(const Decimal& value) {
  BigRatio result;
  result.multiply(value);
  return result;
}

BigRatio exact(Ratio value) {
  BigRatio result;
  result.multiply(value);
  return result;
}

/// `half_up` rounds to the nearest integer, halves up; `up` rounds to the smallest integer not below the value.
enum class Rounding : std::uint8_t { half_up, up };

/// A fraction whose products stay below 2^126, so that it needs no big numbers.
class SmallRatio {
 public:
  explicit SmallRatio(Ratio value) {
    is_small_ = multiply(numerator_, value.numerator) && multiply(denominator_, value.denominator);
  }

  void multiply(const Decimal& value) {
    UInt128& part = value.exponent < 0 ? denominator_ : numerator_;
    const int power = std::abs(value.exponent);
    is_small_ = is_small_ && power < static_cast<int>(kPowersOfTen.size()) && multiply(numerator_, value.digits) &&
                multiply(part, kPowersOfTen[static_cast<std::size_t>(power)]);
  }
  /// Returns the rounded value, which may exceed 63 bits, or nullopt if a product was too large.
  std::optional<UInt128> rounded(Rounding rounding) const {
    if (!is_small_) return std::nullopt;
    constexpr std::uint64_t word = ~std::uint64_t{0};
    const UInt128 numerator = 2 * numerator_ + (rounding == Rounding::up ? 2 * denominator_ - 1 : denominator_);
    const UInt128 denominator = 2 * denominator_;
    if (numerator <= word && denominator <= word)
      return static_cast<std::uint64_t>(numerator) / static_cast<std::uint64_t>(denominator);
    return numerator / denominator;
  }

 private:
  static constexpr std::array<std::uint64_t, 20> kPowersOfTen = [] {
    std::array<std::uint64_t, 20> powers{1};
    for (std::size_t i = 1; i < powers.size(); ++i) powers[i] = powers[i - 1] * 10;
    return powers;
  }();

  static bool multiply(UInt128& number, UInt128 by) {
    return !__builtin_mul_overflow(number, by, &number) && number >> 125 == 0;
  }

  UInt128 numerator_ = 1;
  UInt128 denominator_ = 1;
  bool is_small_ = true;
};

BigRatio distance(const BigRatio& a, const BigRatio& b) {
  const Big difference = a.numerator * b.denominator - b.numerator * a.denominator;
  return {difference < 0 ? Big(-difference) : difference, a.denominator * b.denominator};
}

bool at_most(const BigRatio& a, const BigRatio& b) {
  return a.numerator * b.denominator <= b.numerator * a.denominator;
}

bool is_hexadecimal(std::string_view text) {
  return text.size() > 1 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
}

std::string describe_garbage(std::string_view text) {
  if (text.empty()) return "is empty";
  if (text.front() == '-') return "is negative";
  if (text.front() == '+') return "has a sign; write it without";
  return "is not a number";
}

/// Scans a number's text once, and counts its digits.
class DecimalScanner {
 public:
  explicit DecimalScanner(std::string_view text) : text_(text) {}

  Parsed<Decimal> scan() {
    if (is_hexadecimal(text_)) return {std::nullopt, "is hexadecimal; write it in decimal"};
    const std::size_t whole_digits = take_digits(0);
    if (whole_digits == 0) return {std::nullopt, describe_garbage(text_)};
    if (whole_digits > 1 && text_[0] == '0')
      return {std::nullopt, "has a leading zero, which others read as octal; write it without"};
    if (next_is('.')) {
      ++position_;
      if (take_digits(-1) == 0) return {std::nullopt, "is not a number: a digit is missing after the point"};
    }
    if ((next_is('e') || next_is('E')) && !take_exponent())
      return {std::nullopt, "is not a number: its exponent is not a whole number of at most 2 digits"};
    if (position_ != text_.size()) return {std::nullopt, "is not a number"};
    if (significant_ > kMaxDigits) return {std::nullopt, "has more than 36 digits"};
    if (value_.is_zero()) return {Decimal{}, {}};
    if (std::abs(value_.exponent) > kMaxExponent) return {std::nullopt, "has an exponent beyond 60"};
    return {value_, {}};
  }

 private:
  bool next_is(char c) const { return position_ < text_.size() && text_[position_] == c; }

  std::size_t take_digits(int exponent_step) {
    const std::size_t begin = position_;
    for (; position_ < text_.size() && is_digit(text_[position_]); ++position_) {
      if (significant_ > 0 || text_[position_] != '0') ++significant_;
      if (significant_ > kMaxDigits) continue;
      value_.digits = value_.digits * 10 + static_cast<unsigned>(text_[position_] - '0');
      value_.exponent += exponent_step;
    }
    return position_ - begin;
  }

  bool take_exponent() {
    ++position_;
    const bool negative = next_is('-');
    if (negative || next_is('+')) ++position_;
    const std::size_t begin = position_;
    int exponent = 0;
    for (; position_ < text_.size() && is_digit(text_[position_]) && position_ - begin < 3; ++position_)
      exponent = exponent * 10 + (text_[position_] - '0');
    value_.exponent += negative ? -exponent : exponent;
    return position_ > begin && position_ - begin <= 2;
  }

  std::string_view text_;
  std::size_t position_ = 0;
  int significant_ = 0;
  Decimal value_;
};

}  // namespace

Parsed<Decimal> parse_decimal(std::string_view text) { return DecimalScanner(text).scan(); }

double approximate(const Decimal& value) {
  auto result = static_cast<double>(value.digits);
  for (int i = 0; i < value.exponent; ++i) result *= 10;
  for (int i = value.exponent; i < 0; ++i) result /= 10;
  return result;
}

std::string to_text(const Decimal& value) {
  if (value.is_zero()) return "0";
  std::string digits = Big(value.digits).str();
  int exponent = value.exponent;
  while (exponent < 0 && digits.back() == '0') {
    digits.pop_back();
    ++exponent;
  }
  if (exponent >= 0) return digits + std::string(static_cast<std::size_t>(exponent), '0');
  const auto decimals = static_cast<std::size_t>(-exponent);
  if (digits.size() <= decimals) digits.insert(0, decimals + 1 - digits.size(), '0');
  return digits.insert(digits.size() - decimals, ".");
}

namespace {

std::optional<std::int64_t> rounded_product(std::initializer_list<Decimal> factors, Ratio scale, Rounding rounding) {
  SmallRatio small(scale);
  for (const Decimal& factor : factors) small.multiply(factor);
  if (const auto count = small.rounded(rounding)) {
    if (*count > static_cast<UInt128>(std::numeric_limits<std::int64_t>::max())) return std::nullopt;
    return static_cast<std::int64_t>(*count);
  }
  BigRatio product = exact(scale);
  for (const Decimal& factor : factors) product.multiply(factor);
  const Big offset = rounding == Rounding::up ? Big(2 * product.denominator - 1) : product.denominator;
  const Big rounded = (2 * product.numerator + offset) / (2 * product.denominator);
  if (rounded > std::numeric_limits<std::int64_t>::max()) return std::nullopt;
  return rounded.convert_to<std::int64_t>();
}

}  // namespace

std::optional<std::int64_t> round_product(std::initializer_list<Decimal> factors, Ratio scale) {
  return rounded_product(factors, scale, Rounding::half_up);
}

std::optional<std::int64_t> round_product_up(std::initializer_list<Decimal> factors, Ratio scale) {
  return rounded_product(factors, scale, Rounding::up);
}

bool is_whole(const Decimal& value, std::uint64_t scale) {
  if (value.exponent >= 0) return true;
  BigRatio product = exact(value);
  product.multiply(Ratio{scale, 1});
  return product.numerator % product.denominator == 0;
}

bool is_within(Ratio found, const Decimal& expected, const Decimal& tolerance) {
  return at_most(distance(exact(found), exact(expected)), exact(tolerance));
}

bool is_at_least(Ratio found, const Decimal& bound) { return at_most(exact(bound), exact(found)); }

bool is_within_percent(Ratio found, Ratio expected, const Decimal& tolerance_percent) {
  BigRatio allowed = exact(expected);
  allowed.multiply(tolerance_percent);
  allowed.multiply(Ratio{1, 100});
  return at_most(distance(exact(found), exact(expected)), allowed);
}

constexpr int kMaxPrintedDecimals = 18;

std::string to_fixed(Ratio ratio, int decimals) {
  GDSIM_CHECK(ratio.denominator > 0, "a denominator is 0");
  GDSIM_CHECK(ratio.denominator < UInt128{1} << 124, "a denominator is too large to print");
  GDSIM_CHECK(decimals >= 0 && decimals <= kMaxPrintedDecimals, "a number cannot be printed with so many decimals");
  UInt128 digits = ratio.numerator / ratio.denominator;
  UInt128 rest = ratio.numerator % ratio.denominator;
  for (int i = 0; i < decimals; ++i) {
    rest *= 10;
    digits = digits * 10 + rest / ratio.denominator;
    rest %= ratio.denominator;
  }
  if (rest >= ratio.denominator - rest) ++digits;
  std::string text = to_text(static_cast<Int128>(digits));
  if (decimals == 0) return text;
  const auto places = static_cast<std::size_t>(decimals);
  if (text.size() <= places) text.insert(0, places + 1 - text.size(), '0');
  return text.insert(text.size() - places, ".");
}

int compare(const Decimal& a, const Decimal& b) {
  const BigRatio left = exact(a);
  const BigRatio right = exact(b);
  if (!at_most(right, left)) return -1;
  return at_most(left, right) ? 0 : 1;
}

std::string to_text(Int128 value) {
  const bool negative = value < 0;
  UInt128 rest = negative ? UInt128{0} - static_cast<UInt128>(value) : static_cast<UInt128>(value);
  std::string digits;
  do {
    digits.push_back(static_cast<char>('0' + static_cast<int>(rest % 10)));
    rest /= 10;
  } while (rest != 0);
  if (negative) digits.push_back('-');
  std::reverse(digits.begin(), digits.end());
  return digits;
}

}  // namespace gdsim
