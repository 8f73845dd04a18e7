#include <gdsim/leap/factor_lanes.hpp>

// Highway compiles what lies between its macros once for each kind of vector unit. Its library, which would choose
// among them, is not linked: loading it takes longer than most runs.
#define HWY_DISABLED_TARGETS HWY_SSSE3
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "gdsim/leap/factor_lanes.cpp"
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

/// Of the lower halves.
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

/// Of numbers below 2^52, exactly.
HWY_INLINE RealLanes real(WordLanes number) {
  return hn::Sub(hn::BitCast(kReals, hn::Or(number, hn::Set(kWords, kBitsOf2To52))), hn::Set(kReals, 0x1p52));
}

/// The nearest whole, of 0 to 2^51.
HWY_INLINE WordLanes nearest(RealLanes number) {
  const WordLanes bits = hn::BitCast(kWords, hn::Add(number, hn::Set(kReals, 0x1p52)));
  return hn::Xor(bits, hn::Set(kWords, kBitsOf2To52));
}

/// One of a Philox block's rounds. Upper halves hold anything: they are not multiplied.
HWY_INLINE void go_round(WordLanes& c0, WordLanes& c1, WordLanes& c2, WordLanes& c3, WordLanes low, WordLanes high) {
  const WordLanes a = product(c0, hn::Set(kWords, Philox::factor_a));
  const WordLanes b = product(c2, hn::Set(kWords, Philox::factor_b));
  c0 = hn::Xor(hn::Xor(hn::ShiftRight<32>(b), c1), low);
  c1 = b;
  c2 = hn::Xor(hn::Xor(hn::ShiftRight<32>(a), c3), high);
  c3 = a;
}

/// In billionths, of a block's first two words: operation by operation what is done for one.
HWY_INLINE WordLanes factors_of(WordLanes c0, WordLanes c1, double slope) {
  const WordLanes word = hn::Or(hn::ShiftLeft<32>(c0), hn::And(c1, hn::Set(kWords, 0xFFFF'FFFF)));
  const RealLanes bits = real(hn::ShiftRight<12>(word));
  const RealLanes unit = hn::Mul(hn::Add(bits, hn::Set(kReals, 0.5)), hn::Set(kReals, 0x1p-52));
  const RealLanes around = hn::Sub(hn::Mul(hn::Set(kReals, 2), unit), hn::Set(kReals, 1));
  const RealLanes factor = hn::Add(hn::Set(kReals, 1), hn::Mul(hn::Set(kReals, slope), around));
  const RealLanes billionths = hn::Add(hn::Mul(factor, hn::Set(kReals, 1e9)), hn::Set(kReals, 0.5));
  return hn::Max(nearest(hn::Floor(billionths)), hn::Set(kWords, 1));
}

/// Two blocks to a lane: while one waits for its product, the other is computed.
FactorsAtOnce uniform_factors(const PhiloxBlock& first, std::uint64_t seed, double slope) {
  FactorsAtOnce factors;
  const std::size_t lanes = hn::Lanes(kWords);
  const WordLanes step = hn::Set(kWords, lanes);
  WordLanes counters = hn::Iota(kWords, std::uint64_t{first[1]} << 32 | first[0]);
  for (std::size_t at = 0; at < kFactorsAtOnce; at += 2 * lanes) {
    WordLanes c0 = counters;
    WordLanes d0 = hn::Add(c0, step);
    counters = hn::Add(d0, step);
    WordLanes c1 = hn::ShiftRight<32>(c0);
    WordLanes d1 = hn::ShiftRight<32>(d0);
    WordLanes c2 = hn::Set(kWords, first[2]);
    WordLanes d2 = c2;
    WordLanes c3 = hn::Set(kWords, first[3]);
    WordLanes d3 = c3;
    auto low = static_cast<std::uint32_t>(seed);
    auto high = static_cast<std::uint32_t>(seed >> 32);
    for (int round = 0; round < Philox::rounds; ++round, low += Philox::low_step, high += Philox::high_step) {
      go_round(c0, c1, c2, c3, hn::Set(kWords, low), hn::Set(kWords, high));
      go_round(d0, d1, d2, d3, hn::Set(kWords, low), hn::Set(kWords, high));
    }
    hn::StoreU(factors_of(c0, c1, slope), kWords, factors.data() + at);
    hn::StoreU(factors_of(d0, d1, slope), kWords, factors.data() + at + lanes);
  }
  return factors;
}

/// A quotient from floating point is off by at most one; the remainder shows it.
bool scale(std::uint64_t amount, const FactorsAtOnce& factors, ProductsAtOnce& products) {
  constexpr std::int64_t one = 1'000'000'000;
  const Integers integers;
  const WordLanes unit = hn::Set(kWords, one);
  WordLanes all = hn::Zero(kWords);
  for (std::size_t at = 0; at < kFactorsAtOnce; at += hn::Lanes(kWords)) {
    const WordLanes factor = hn::LoadU(kWords, factors.data() + at);
    all = hn::Or(all, factor);
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
  return hn::AllTrue(kWords, hn::Eq(hn::ShiftRight<31>(all), hn::Zero(kWords)));
}

}  // namespace

VectorUnit vector_unit() { return {hwy::TargetName(HWY_TARGET), uniform_factors, scale}; }

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
  units.push_back(HWY_STATIC_DISPATCH(vector_unit)());  // the compiler's choice, which runs everywhere
  return units;
}

const VectorUnit& widest_vector_unit() {
  static const VectorUnit widest = vector_units().front();
  return widest;
}

}  // namespace gdsim
#endif
