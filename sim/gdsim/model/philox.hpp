#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace gdsim {

// Philox4x32-10: random bits that depend on a counter and a seed alone (Salmon, Moraes, Dror, Shaw: Parallel random
// numbers: as easy as 1, 2, 3; SC 2011). It uses integers only, so results are the same on every machine.

using PhiloxBlock = std::array<std::uint32_t, 4>;

/// The multipliers of the rounds, and the increments of the halves of the key.
struct Philox {
  static constexpr std::uint32_t rounds = 10;
  static constexpr std::uint32_t factor_a = 0xD2511F53;
  static constexpr std::uint32_t factor_b = 0xCD9E8D57;
  static constexpr std::uint32_t low_step = 0x9E3779B9;
  static constexpr std::uint32_t high_step = 0xBB67AE85;
};

/// The halves of the key of each round.
struct PhiloxKeys {
  constexpr PhiloxKeys(std::uint64_t seed) {  // NOLINT: a seed stands for its keys
    for (std::uint32_t round = 0; round < Philox::rounds; ++round) {
      low[round] = static_cast<std::uint32_t>(seed) + round * Philox::low_step;
      high[round] = static_cast<std::uint32_t>(seed >> 32) + round * Philox::high_step;
    }
  }

  std::array<std::uint32_t, Philox::rounds> low{};
  std::array<std::uint32_t, Philox::rounds> high{};
};

inline PhiloxBlock philox_round(const PhiloxBlock& block, std::uint32_t low, std::uint32_t high) {
  const std::uint64_t a = std::uint64_t{Philox::factor_a} * block[0];
  const std::uint64_t b = std::uint64_t{Philox::factor_b} * block[2];
  return {static_cast<std::uint32_t>(b >> 32) ^ block[1] ^ low, static_cast<std::uint32_t>(b),
          static_cast<std::uint32_t>(a >> 32) ^ block[3] ^ high, static_cast<std::uint32_t>(a)};
}

inline PhiloxBlock philox(PhiloxBlock block, const PhiloxKeys& keys) {
  [&]<std::size_t... round>(std::index_sequence<round...>) {
    ((block = philox_round(block, keys.low[round], keys.high[round])), ...);
  }
  (std::make_index_sequence<Philox::rounds>());
  return block;
}

/// Returns the first 64 of a block's random bits.
inline std::uint64_t first_word(const PhiloxBlock& block) { return std::uint64_t{block[0]} << 32 | block[1]; }

}  // namespace gdsim
