#pragma once

#include <cstdint>
#include <vector>

namespace gdsim {

/// Fingerprints of the last instants, one word each. A comparison of any number of instants with earlier ones costs as
/// much as a comparison of one.
///
/// This is a rolling hash: for each of the last kMax instants, it stores a polynomial of all words so far, modulo 2^64.
class RecentInstants {
 public:
  /// A number of last instants.
  struct Window {
    std::uint64_t size = 0;
    std::uint64_t power = 1;  ///< the base to the power of `size`
  };

  void clear();
  void add(std::uint64_t word) {
    const std::uint64_t next = at(count_) * kBase + word;
    if (++count_ > mask_ && mask_ + 1 < kMax) grow();
    at(count_) = next;
  }

  /// Returns a window of the last `size` instants, or of all that are known if these are fewer.
  Window window(std::uint64_t size) const;
  /// Returns the hash of the last instants. Equal sequences have equal hashes; different ones rarely do. At least
  /// `window.size` instants must be known.
  std::uint64_t hash_of_last(const Window& window) const {
    return at(count_) - at(count_ - window.size) * window.power;
  }

 private:
  static constexpr std::uint64_t kBase = 0x9E37'79B9'7F4A'7C15U;
  static constexpr std::uint64_t kMax = std::uint64_t{1} << 17U;

  std::uint64_t& at(std::uint64_t instant) { return sums_[instant & mask_]; }
  std::uint64_t at(std::uint64_t instant) const { return sums_[instant & mask_]; }
  void grow();

  std::vector<std::uint64_t> sums_ = std::vector<std::uint64_t>(16, 0);  ///< by instant modulo size(), a power of 2
  std::uint64_t mask_ = 15;                                              ///< sums_.size() - 1
  std::uint64_t count_ = 0;
};

}  // namespace gdsim
