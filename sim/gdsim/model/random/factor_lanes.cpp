#include <gdsim/model/random/factor_lanes.hpp>

#include <gdsim/model/random/normal_quantile.hpp>

// Highway compiles the code between its macros once for each kind of vector unit. Its library, which would choose one
// of them at run time, is not linked, because loading it takes longer than most runs.
#define HWY_DISABLED_TARGETS HWY_SSSE3
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "gdsim/model/random/factor_lanes.cpp"
#include <hwy/foreach_target.h>

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace gdsim::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Words = hn::ScalableTag<std::uint64_t>;
using Integers = hn::RebindToSigned<Words>;
using Reals = hn::RebindToFloat<Words>;
using WordLanes = hn::Vec<Words>;
using RealLanes = hn::Vec<Reals>;

constexpr Words kWords;
constexpr Reals kReals;
constexpr std::uint64_t kBitsOf2To52 = 0x4330'0000'0000'0000;

/// Returns the product of the lower halves.
HWY_INLINE WordLanes product(WordLanes a, WordLanes b) {
#if HWY_TARGET == HWY_SCALAR
  const WordLanes lower = hn::Set(kWords, 0xFFFF'FFFF);
  return hn::Mul(hn::And(a, lower), hn::And(b, lower));
#else
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  a = hn::ShiftLeft<32>(a);  // the first half of a word is the upper one
  b = hn::ShiftLeft<32>(b);
#endif
  const hn::Repartition<std::uint32_t, Words> halves;
  return hn::MulEven(hn::BitCast(halves, a), hn::BitCast(halves, b));
#endif
}

/// Converts numbers below 2^52 exactly.
HWY_INLINE RealLanes real(WordLanes number) {
  return hn::Sub(hn::BitCast(kReals, hn::Or(number, hn::Set(kWords, kBitsOf2To52))), hn::Set(kReals, 0x1p52));
}

/// Returns the nearest whole number, which must be from 0 to 2^51.
HWY_INLINE WordLanes nearest(RealLanes number) {
  const WordLanes bits = hn::BitCast(kWords, hn::Add(number, hn::Set(kReals, 0x1p52)));
  return hn::Xor(bits, hn::Set(kWords, kBitsOf2To52));
}

/// Computes one round of a Philox block. Upper halves are not multiplied, so they may have any value.
HWY_INLINE void go_round(WordLanes& c0, WordLanes& c1, WordLanes& c2, WordLanes& c3, WordLanes low, WordLanes high) {
  const WordLanes a = product(c0, hn::Set(kWords, Philox::factor_a));
  const WordLanes b = product(c2, hn::Set(kWords, Philox::factor_b));
  c0 = hn::Xor(hn::Xor(hn::ShiftRight<32>(b), c1), low);
  c1 = b;
  c2 = hn::Xor(hn::Xor(hn::ShiftRight<32>(a), c3), high);
  c3 = a;
}

HWY_INLINE RealLanes all(double number) { return hn::Set(kReals, number); }

// These functions perform the operations of draws.cpp in the same order.

template <std::size_t N>
HWY_INLINE RealLanes sum_of(const std::array<double, N>& series, RealLanes x) {
  RealLanes sum = all(series[N - 1]);
  for (std::size_t i = N - 1; i > 0; --i) sum = hn::Add(hn::Mul(sum, x), all(series[i - 1]));
  return sum;
}

HWY_INLINE RealLanes quotient_of(const Rational& rational, RealLanes x) {
  return hn::Div(sum_of(rational.above, x), sum_of(rational.below, x));
}

HWY_INLINE RealLanes ln(RealLanes x) {
  const WordLanes bits = hn::BitCast(kWords, x);
  const WordLanes fraction = hn::And(bits, hn::Set(kWords, 0x000F'FFFF'FFFF'FFFF));
  const RealLanes mantissa = hn::BitCast(kReals, hn::Or(fraction, hn::Set(kWords, 0x3FF0'0000'0000'0000)));
  const RealLanes exponent = hn::Sub(real(hn::ShiftRight<52>(bits)), all(1023));
  const auto is_upper = hn::Gt(mantissa, all(kRoot2));
  const RealLanes m = hn::IfThenElse(is_upper, hn::Mul(mantissa, all(0.5)), mantissa);
  const RealLanes e = hn::IfThenElse(is_upper, hn::Add(exponent, all(1)), exponent);
  const RealLanes s = hn::Div(hn::Sub(m, all(1)), hn::Add(m, all(1)));
  const RealLanes of_mantissa = hn::Mul(hn::Mul(all(2), s), sum_of(kAtanhSeries, hn::Mul(s, s)));
  return hn::Add(of_mantissa, hn::Mul(e, all(kLn2)));
}

HWY_INLINE RealLanes exponential(RealLanes x) {
  const RealLanes power = hn::Floor(hn::Add(hn::Div(x, all(kLn2)), all(0.5)));
  const WordLanes exponent = nearest(hn::Add(power, all(1023)));
  return hn::Mul(sum_of(kExponentialSeries, hn::Sub(x, hn::Mul(power, all(kLn2)))),
                 hn::BitCast(kReals, hn::ShiftLeft<52>(exponent)));
}

HWY_INLINE RealLanes normal_quantile(RealLanes probability) {
  using Normal = NormalQuantile;
  const RealLanes q = hn::Sub(probability, all(0.5));
  const auto is_central = hn::Le(hn::Abs(q), all(Normal::central_width));
  const RealLanes central =
      hn::Mul(q, quotient_of(Normal::central, hn::Sub(all(Normal::central_square), hn::Mul(q, q))));
  if (hn::AllTrue(kReals, is_central)) return central;
  const RealLanes r = hn::Sqrt(hn::Neg(ln(hn::Min(probability, hn::Sub(all(1), probability)))));
  RealLanes size = quotient_of(Normal::near_tail, hn::Sub(r, all(Normal::near_offset)));
  const auto is_far = hn::Gt(r, all(Normal::far_offset));
  if (!hn::AllFalse(kReals, is_far))
    size = hn::IfThenElse(is_far, quotient_of(Normal::far_tail, hn::Sub(r, all(Normal::far_offset))), size);
  return hn::IfThenElse(is_central, central, hn::CopySign(size, q));
}

/// Returns the factor in billionths; 0 for a factor that is not above 0, or is not below a million.
HWY_INLINE WordLanes in_billionths(RealLanes factor) {
  const RealLanes billionths = hn::Floor(hn::Add(hn::Mul(factor, all(1e9)), all(0.5)));
  const auto is_in_range = hn::And(hn::Gt(factor, all(0)), hn::Lt(factor, all(1e6)));
  const WordLanes whole = hn::Max(nearest(billionths), hn::Set(kWords, 1));
  return hn::And(whole, hn::BitCast(kWords, hn::VecFromMask(kReals, is_in_range)));
}

// These classes convert a number between 0 and 1 to a factor.

struct UniformFactor {
  double slope;
  HWY_INLINE WordLanes of(RealLanes unit) const {
    const RealLanes around = hn::Sub(hn::Mul(all(2), unit), all(1));
    return in_billionths(hn::Add(all(1), hn::Mul(all(slope), around)));
  }
};

struct NormalFactor {
  double cv;
  HWY_INLINE WordLanes of(RealLanes unit) const {
    return in_billionths(hn::Add(all(1), hn::Mul(all(cv), normal_quantile(unit))));
  }
};

struct LognormalFactor {
  double log_deviation;
  double log_mean;
  HWY_INLINE WordLanes of(RealLanes unit) const {
    return in_billionths(exponential(hn::Add(hn::Mul(all(log_deviation), normal_quantile(unit)), all(log_mean))));
  }
};

/// Returns the factors from a block's first two words.
template <class Factor>
HWY_INLINE WordLanes factors_of(WordLanes c0, WordLanes c1, const Factor& factor) {
  const WordLanes word = hn::Or(hn::ShiftLeft<32>(c0), hn::And(c1, hn::Set(kWords, 0xFFFF'FFFF)));
  const RealLanes bits = real(hn::ShiftRight<12>(word));
  return factor.of(hn::Mul(hn::Add(bits, all(0.5)), all(0x1p-52)));
}

/// Computes two blocks per lane, to hide the latency of multiplications.
template <class Factor>
FactorsAtOnce draw_factors(const SampleRange& samples, const Factor& factor) {
  FactorsAtOnce factors;
  const PhiloxBlock& first = samples.first;
  const std::size_t lanes = hn::Lanes(kWords);
  const WordLanes step = hn::Set(kWords, lanes);
  const WordLanes first_group = hn::Set(kWords, std::uint64_t{first[1]} << 32 | first[0]);
  const WordLanes first_thread = hn::Set(kWords, first[2]);
  const WordLanes thread_mask = hn::Set(kWords, (std::uint64_t{1} << samples.thread_bits) - 1);
  const auto thread_bits = static_cast<int>(samples.thread_bits);
  WordLanes index = hn::Iota(kWords, 0);
  for (std::size_t at = 0; at < kFactorsAtOnce; at += 2 * lanes) {
    WordLanes c0 = hn::Add(first_group, hn::ShiftRightSame(index, thread_bits));
    WordLanes c2 = hn::Add(first_thread, hn::And(index, thread_mask));
    index = hn::Add(index, step);
    WordLanes d0 = hn::Add(first_group, hn::ShiftRightSame(index, thread_bits));
    WordLanes d2 = hn::Add(first_thread, hn::And(index, thread_mask));
    index = hn::Add(index, step);
    WordLanes c1 = hn::ShiftRight<32>(c0);
    WordLanes d1 = hn::ShiftRight<32>(d0);
    WordLanes c3 = hn::Set(kWords, first[3]);
    WordLanes d3 = c3;
    auto low = static_cast<std::uint32_t>(samples.seed);
    auto high = static_cast<std::uint32_t>(samples.seed >> 32);
    for (int round = 0; round < Philox::rounds; ++round, low += Philox::low_step, high += Philox::high_step) {
      go_round(c0, c1, c2, c3, hn::Set(kWords, low), hn::Set(kWords, high));
      go_round(d0, d1, d2, d3, hn::Set(kWords, low), hn::Set(kWords, high));
    }
    hn::StoreU(factors_of(c0, c1, factor), kWords, factors.data() + at);
    hn::StoreU(factors_of(d0, d1, factor), kWords, factors.data() + at + lanes);
  }
  return factors;
}

FactorsAtOnce uniform_factors(const SampleRange& samples, double slope) {
  return draw_factors(samples, UniformFactor{slope});
}

FactorsAtOnce normal_factors(const SampleRange& samples, double cv) { return draw_factors(samples, NormalFactor{cv}); }

FactorsAtOnce lognormal_factors(const SampleRange& samples, double log_deviation, double log_mean) {
  return draw_factors(samples, LognormalFactor{log_deviation, log_mean});
}

/// Computes quotients in floating point, which are off by at most one, and corrects them by their remainders.
bool scale(std::uint64_t amount, const FactorsAtOnce& factors, ProductsAtOnce& products) {
  constexpr std::int64_t one = 1'000'000'000;
  const Integers integers;
  const WordLanes unit = hn::Set(kWords, one);
  WordLanes bits_of_all = hn::Zero(kWords);
  for (std::size_t at = 0; at < kFactorsAtOnce; at += hn::Lanes(kWords)) {
    const WordLanes factor = hn::LoadU(kWords, factors.data() + at);
    bits_of_all = hn::Or(bits_of_all, factor);
    const WordLanes billionths = hn::Add(product(factor, hn::Set(kWords, amount)), hn::Set(kWords, one / 2));
    const RealLanes upper = hn::Mul(real(hn::ShiftRight<32>(billionths)), hn::Set(kReals, 0x1p32));
    const RealLanes lower = real(hn::And(billionths, hn::Set(kWords, 0xFFFF'FFFF)));
    const WordLanes quotient = nearest(hn::Mul(hn::Add(upper, lower), hn::Set(kReals, 1e-9)));
    const auto rest = hn::BitCast(integers, hn::Sub(billionths, product(quotient, unit)));
    const auto one_less = hn::BroadcastSignBit(rest);  // all bits: -1
    const auto one_more = hn::VecFromMask(integers, hn::Gt(rest, hn::Set(integers, one - 1)));
    const auto whole = hn::Sub(hn::Add(hn::BitCast(integers, quotient), one_less), one_more);
    hn::StoreU(hn::Max(hn::BitCast(kWords, whole), hn::Set(kWords, 1)), kWords, products.data() + at);
  }
  return hn::AllTrue(kWords, hn::Eq(hn::ShiftRight<31>(bits_of_all), hn::Zero(kWords)));
}

}  // namespace

VectorUnit vector_unit() {
  return {hwy::TargetName(HWY_TARGET), uniform_factors, normal_factors, lognormal_factors, scale};
}

}  // namespace gdsim::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gdsim {

std::vector<VectorUnit> vector_units() {
  std::vector<VectorUnit> units;
#if HWY_ARCH_X86
  const bool has_sse4 =
      __builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("pclmul") && __builtin_cpu_supports("aes");
  const bool has_avx2 = has_sse4 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
                        __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("fma");
  const bool has_avx3 = has_avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
                        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
                        __builtin_cpu_supports("avx512cd");
  if (has_avx3) units.push_back(N_AVX3::vector_unit());
  if (has_avx2) units.push_back(N_AVX2::vector_unit());
  if (has_sse4) units.push_back(N_SSE4::vector_unit());
#endif
  units.push_back(HWY_STATIC_DISPATCH(vector_unit)());  // the compiler's baseline, which runs on every machine
  return units;
}

const VectorUnit& widest_vector_unit() {
  static const VectorUnit widest = vector_units().front();
  return widest;
}

}  // namespace gdsim
#endif
