#include <gdsim/model/draws.hpp>

#include <gdsim/base/arithmetic.hpp>
#include <gdsim/base/decimal.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace gdsim {
namespace {

/// Returns a number in (0, 1) from the upper 52 bits of a random word.
double unit(std::uint64_t word) {
  const std::uint64_t bits = word >> 12;
  const double number = bit_cast<double>(0x4330'0000'0000'0000U | bits) - 0x1p52;  // bits, exactly
  return (number + 0.5) * 0x1p-52;
}

/// Returns series[0] + series[1] x + series[2] x^2 + ...
template <std::size_t N>
double sum_of(const std::array<double, N>& series, double x) {
  double sum = series[N - 1];
  for (std::size_t i = N - 1; i > 0; --i) sum = sum * x + series[i - 1];
  return sum;
}

double quotient_of(const Rational& rational, double x) { return sum_of(rational.above, x) / sum_of(rational.below, x); }

/// Returns the natural logarithm of x > 0.
double ln(double x) {
  const auto bits = bit_cast<std::uint64_t>(x);
  int exponent = static_cast<int>(bits >> 52) - 1023;
  double mantissa = bit_cast<double>((bits & 0x000F'FFFF'FFFF'FFFFU) | 0x3FF0'0000'0000'0000U);
  if (mantissa > kRoot2) {
    mantissa *= 0.5;
    ++exponent;
  }
  const double s = (mantissa - 1) / (mantissa + 1);
  return 2 * s * sum_of(kAtanhSeries, s * s) + exponent * kLn2;
}

/// Returns e to the power of x, |x| < 100.
double exponential(double x) {
  const double power = std::floor(x / kLn2 + 0.5);
  return sum_of(kExponentialSeries, x - power * kLn2) *
         bit_cast<double>(static_cast<std::uint64_t>(static_cast<int>(power) + 1023) << 52);
}

double normal_quantile(double probability) {
  using Normal = NormalQuantile;
  const double q = probability - 0.5;
  if (std::abs(q) <= Normal::central_width) return q * quotient_of(Normal::central, Normal::central_square - q * q);
  const double r = std::sqrt(-ln(std::min(probability, 1 - probability)));
  const double size = r <= Normal::far_offset ? quotient_of(Normal::near_tail, r - Normal::near_offset)
                                              : quotient_of(Normal::far_tail, r - Normal::far_offset);
  return std::copysign(size, q);
}

double value_of(const Decimal& number) {
  double value = static_cast<double>(number.digits);
  for (int i = number.exponent; i < 0; ++i) value /= 10;
  for (int i = number.exponent; i > 0; --i) value *= 10;
  return value;
}

/// Returns the counter for the block with this number. The work-group takes 64 bits; thread, launch and block share the
/// others, without overlap below 2^12 blocks.
PhiloxBlock counter_of(const Sample& sample, std::uint32_t block) {
  const std::uint64_t group = number_of(sample.work_group);
  return {static_cast<std::uint32_t>(group), static_cast<std::uint32_t>(group >> 32), sample.thread | block << 20,
          static_cast<std::uint32_t>(index_of(sample.launch))};
}

/// The block of a work-group's sample for FactorDraw::is_first(). No factor uses it.
constexpr std::uint32_t kTurnBlock = (1U << 12) - 1;

/// The random numbers of one sample, block by block.
class Numbers {
 public:
  Numbers(const PhiloxKeys& keys, const Sample& sample) : keys_(keys), sample_(sample) {}

  PhiloxBlock next() { return philox(counter_of(sample_, block_++), keys_); }

  double uniform() {
    const PhiloxBlock block = next();
    return unit(first_word(block));
  }

  double normal() { return normal_quantile(uniform()); }

 private:
  const PhiloxKeys& keys_;
  Sample sample_;
  std::uint32_t block_ = 0;
};

constexpr double kRoot3 = 1.7320508075688772;

double uniform_factor(double cv, double unit) { return 1 + cv * kRoot3 * (2 * unit - 1); }

/// Rounds a factor above 0 to a result above 0.
DrawnFactor in_billionths(double factor) {
  const double billionths = factor * 1e9 + 0.5;
  const auto whole = billionths < 0x1p62 ? static_cast<std::uint64_t>(static_cast<std::int64_t>(billionths))
                                         : static_cast<std::uint64_t>(billionths);
  return DrawnFactor{std::max<std::uint64_t>(whole, 1)};
}

}  // namespace

FactorDraw::FactorDraw(const Draw& draw)
    : per_(draw.per),
      distribution_(draw.distribution),
      keys_(draw.seed),
      cv_(value_of(draw.cv)),
      only_lengthens_(draw.only_lengthens) {
  if (distribution_ != Distribution::lognormal) return;
  const double variance = ln(1 + cv_ * cv_);
  deviation_ = std::sqrt(variance);
  mean_ = -variance / 2;
}

DrawnFactor FactorDraw::factor(const Sample& sample) const {
  Numbers numbers(keys_, per_ == DrawPer::launch ? Sample{sample.launch} : sample);
  const auto draw = [&]() -> double {
    switch (distribution_) {
      case Distribution::normal: return 1 + cv_ * numbers.normal();
      case Distribution::uniform: return uniform_factor(cv_, numbers.uniform());
      case Distribution::lognormal: return exponential(deviation_ * numbers.normal() + mean_);
    }
    return 1;
  };
  double value = draw();
  while (value <= 0) value = draw();  // a normal factor; the checks keep this below one in 2,000
  return counted(in_billionths(value));
}

bool FactorDraw::is_first(LaunchId launch, WorkGroupId work_group) const {
  return (first_word(philox(counter_of({launch, work_group, 0}, kTurnBlock), keys_)) & 1U) != 0;
}

std::vector<std::optional<FactorDraw>> make_factor_draws(const Workload& workload, std::uint64_t seed_offset) {
  std::vector<std::optional<FactorDraw>> draws;
  for (const Kernel& kernel : workload.kernels) {
    draws.emplace_back();
    std::optional<Draw> draw = draw_in_force(kernel);
    if (!draw) continue;
    draw->seed += seed_offset;
    draws.back().emplace(*draw);
  }
  return draws;
}

}  // namespace gdsim
