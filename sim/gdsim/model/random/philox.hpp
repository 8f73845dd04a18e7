#pragma once

#include <array>
#include <cstdint>

// Philox4x32-10: random bits that depend on a counter and a seed alone (Salmon, Moraes, Dror, Shaw: Parallel random
// numbers: as easy as 1, 2, 3; SC 2011). It uses integers only, so results are the same on every machine.

namespace gdsim {

using PhiloxBlock = std::array<std::uint32_t, 4>;

/// The multipliers of the rounds, and the increments of the halves of the key.
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

/// Returns the first 64 of a block's random bits.
inline std::uint64_t first_word(const PhiloxBlock& block) { return std::uint64_t{block[0]} << 32 | block[1]; }

}  // namespace gdsim
