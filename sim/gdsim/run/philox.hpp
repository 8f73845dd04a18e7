#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

// Philox4x32-10: random bits that follow from a counter and a seed alone (Salmon, Moraes, Dror, Shaw: Parallel random
// numbers: as easy as 1, 2, 3; SC 2011). Integers only: the same everywhere.

namespace gdsim {

using PhiloxBlock = std::array<std::uint32_t, 4>;

/// The rounds' factors, and what the halves of the key grow by.
struct Philox {
  static constexpr int rounds = 10;
  static constexpr std::uint32_t factor_a = 0xD2511F53;
  static constexpr std::uint32_t factor_b = 0xCD9E8D57;
  static constexpr std::uint32_t low_step = 0x9E3779B9;
  static constexpr std::uint32_t high_step = 0xBB67AE85;
};

inline PhiloxBlock philox(const PhiloxBlock& counter, std::uint64_t seed) {
  auto [c0, c1, c2, c3] = counter;
  auto low = static_cast<std::uint32_t>(seed);
  auto high = static_cast<std::uint32_t>(seed >> 32);
  for (int round = 0; round < Philox::rounds; ++round, low += Philox::low_step, high += Philox::high_step) {
    const std::uint64_t a = std::uint64_t{Philox::factor_a} * c0;
    const std::uint64_t b = std::uint64_t{Philox::factor_b} * c2;
    c0 = static_cast<std::uint32_t>(b >> 32) ^ c1 ^ low;
    c1 = static_cast<std::uint32_t>(b);
    c2 = static_cast<std::uint32_t>(a >> 32) ^ c3 ^ high;
    c3 = static_cast<std::uint32_t>(a);
  }
  return {c0, c1, c2, c3};
}

/// 64 of a block's random bits, and the others.
inline std::uint64_t first_word(const PhiloxBlock& block) { return std::uint64_t{block[0]} << 32 | block[1]; }
inline std::uint64_t second_word(const PhiloxBlock& block) { return std::uint64_t{block[2]} << 32 | block[3]; }

/// first_word() of so many blocks, whose counters' lower 64 bits rise one by one from those of `counter`.
template <std::size_t kCount>
std::array<std::uint64_t, kCount> first_philox_words_in_turn(const PhiloxBlock& counter, std::uint64_t seed) {
  std::array<std::uint64_t, kCount> words;
  std::uint64_t number = std::uint64_t{counter[1]} << 32 | counter[0];
  for (std::uint64_t& word : words) {
    word = first_word(philox(
        {static_cast<std::uint32_t>(number), static_cast<std::uint32_t>(number >> 32), counter[2], counter[3]}, seed));
    ++number;
  }
  return words;
}

/// The same, faster where it can be.
#if defined(__SSE2__)
/// Two blocks at once, and two such pairs beside each other. Half a register holds one word of a block in its lower 32
/// bits; the upper ones hold anything: they are not multiplied.
template <std::size_t kCount>
std::array<std::uint64_t, kCount> first_philox_words(const PhiloxBlock& counter, std::uint64_t seed) {
  constexpr std::size_t pairs = 2;
  static_assert(kCount % (2 * pairs) == 0);
  const auto first = static_cast<std::int64_t>(std::uint64_t{counter[1]} << 32 | counter[0]);
  std::array<std::uint64_t, kCount> words;
  for (std::size_t at = 0; at < kCount; at += 2 * pairs) {
    __m128i c0[pairs], c1[pairs], c2[pairs], c3[pairs];
    for (std::size_t i = 0; i < pairs; ++i) {
      const auto number = static_cast<std::int64_t>(at + 2 * i);
      c0[i] = _mm_add_epi64(_mm_set1_epi64x(first), _mm_set_epi64x(number + 1, number));
      c1[i] = _mm_srli_epi64(c0[i], 32);
      c2[i] = _mm_set1_epi64x(counter[2]);
      c3[i] = _mm_set1_epi64x(counter[3]);
    }
    auto low = static_cast<std::uint32_t>(seed);
    auto high = static_cast<std::uint32_t>(seed >> 32);
    for (int round = 0; round < Philox::rounds; ++round, low += Philox::low_step, high += Philox::high_step)
      for (std::size_t i = 0; i < pairs; ++i) {
        const __m128i a = _mm_mul_epu32(c0[i], _mm_set1_epi64x(Philox::factor_a));
        const __m128i b = _mm_mul_epu32(c2[i], _mm_set1_epi64x(Philox::factor_b));
        c0[i] = _mm_xor_si128(_mm_xor_si128(_mm_srli_epi64(b, 32), c1[i]), _mm_set1_epi64x(low));
        c1[i] = b;
        c2[i] = _mm_xor_si128(_mm_xor_si128(_mm_srli_epi64(a, 32), c3[i]), _mm_set1_epi64x(high));
        c3[i] = a;
      }
    for (std::size_t i = 0; i < pairs; ++i) {
      const __m128i lower = _mm_and_si128(c1[i], _mm_set1_epi64x(0xFFFF'FFFF));
      const __m128i word = _mm_or_si128(_mm_slli_epi64(c0[i], 32), lower);
      std::memcpy(&words[at + 2 * i], &word, sizeof word);
    }
  }
  return words;
}

#else
template <std::size_t kCount>
std::array<std::uint64_t, kCount> first_philox_words(const PhiloxBlock& counter, std::uint64_t seed) {
  return first_philox_words_in_turn<kCount>(counter, seed);
}
#endif

}  // namespace gdsim
