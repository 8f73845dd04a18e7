#pragma once

#include <cstdint>
#include <vector>

namespace gdsim {

/// Fingerprints of the last instants, one word each. Comparing any number of them with earlier ones has the cost of one
/// comparison.
///
/// For each of the last instants, at most kMax, a polynomial of the words so far is kept, modulo 2^64.
class RecentInstants {
 public:
  /// The last `size` instants.
  struct Window {
    std::uint64_t size = 0;
    std::uint64_t power = 1;  ///< of the base
  };

  void clear();
  void add(std::uint64_t word) {
    const std::uint64_t next = at(count_) * kBase + word;
    if (++count_ > mask_ && mask_ + 1 < kMax) grow();
    at(count_) = next;
  }

  /// The last `size` instants, or as many as are known.
  Window window(std::uint64_t size) const;
  /// Equal if, and but for chance only if, these instants look the same. They must exist.
  std::uint64_t hash_of_last(const Window& window) const {
    return at(count_) - at(count_ - window.size) * window.power;
  }

 private:
  static constexpr std::uint64_t kBase = 0x9E37'79B9'7F4A'7C15U;
  static constexpr std::uint64_t kMax = std::uint64_t{1} << 17U;

  std::uint64_t& at(std::uint64_t instant) { return sums_[instant & mask_]; }
  std::uint64_t at(std::uint64_t instant) const { return sums_[instant & mask_]; }
  void grow();

  std::vector<std::uint64_t> sums_ = std::vector<std::uint64_t>(16, 0);  ///< by instant, modulo its size, a power of 2
  std::uint64_t mask_ = 15;                                              ///< its size less 1
  std::uint64_t count_ = 0;
};

}  // namespace gdsim
