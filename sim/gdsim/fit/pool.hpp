#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace gdsim {

/// A resource that a core allocates from one pool, for use anywhere on the core. (Registers belong to single engines.)
enum class Pool : std::uint8_t { contexts, slots, barrier_or_slm_slots, slm, barriers };

inline constexpr std::size_t kPoolCount = 5;

inline constexpr std::array<Pool, kPoolCount> kPools{Pool::contexts, Pool::slots, Pool::barrier_or_slm_slots, Pool::slm,
                                                     Pool::barriers};

/// An amount of each pool: contexts, slots, bytes, barrier registers.
class Amounts {
 public:
  constexpr std::int64_t& operator[](Pool p) { return values_[static_cast<std::size_t>(p)]; }
  constexpr std::int64_t operator[](Pool p) const { return values_[static_cast<std::size_t>(p)]; }
  friend constexpr bool operator==(const Amounts&, const Amounts&) = default;

 private:
  std::array<std::int64_t, kPoolCount> values_{};
};

}  // namespace gdsim
