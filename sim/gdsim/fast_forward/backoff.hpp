#pragma once

#include <cstdint>

namespace gdsim {

/// The minimum number of turns before the first attempt.
inline constexpr std::uint64_t kFewTurns = 16;

/// Exponential backoff: each attempt that was not worth its cost doubles the number of turns before the next attempt.
class Backoff {
 public:
  /// Counts a turn. Returns true if an attempt is due. `changes` must change with each arrival and end of a launch:
  /// then `few` turns pass before the first attempt.
  bool count_turn(std::uint64_t changes, std::uint64_t few) {
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
  /// Must be called after an attempt that was worth its cost: another one is due at the next turn.
  void succeeded() { next_ = 1; }

 private:
  std::uint64_t changes_ = ~std::uint64_t{0};
  std::uint64_t turns_ = 0;  ///< since the last attempt
  std::uint64_t next_ = 0;   ///< in turns
};

}  // namespace gdsim
