#pragma once

#include <cstdint>

namespace gdsim {

/// Minimum number of turns before the first attempt.
inline constexpr std::uint64_t kFewTurns = 16;

/// Exponential backoff: after each attempt that was not worth its cost, twice as many turns pass before the next.
class Backoff {
 public:
  /// A turn was taken. Returns true if it is time to try. `changes` differs after arrivals and ends of launches: then
  /// `few` turns pass before the first attempt.
  bool is_due(std::uint64_t changes, std::uint64_t few) {
    if (++turns_ < next_) return false;
    turns_ = 0;
    if (changes_ != changes) {
      changes_ = changes;
      next_ = few;
      return false;
    }
    next_ *= 2;
    return true;
  }
  /// The attempt was worth its cost: another one is due at the next turn.
  void succeeded() { next_ = 1; }

 private:
  std::uint64_t changes_ = ~std::uint64_t{0};
  std::uint64_t turns_ = 0;  ///< since the last attempt
  std::uint64_t next_ = 0;   ///< in turns
};

}  // namespace gdsim
