#pragma once

#include <gdsim/base/decimal.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace gdsim {

/// A state as a sequence of numbers, to be compared with another state of the same object. States with equal words have
/// equal futures.
class StateWords {
 public:
  template <class T>
  requires std::integral<T> || std::is_enum_v<T>
  void add(T value) {
    if (size_ == words_.size()) grow();
    words_[size_++] = static_cast<std::uint64_t>(value);
  }

  void clear() { size_ = 0; }
  std::size_t size() const { return size_; }
  friend bool operator==(const StateWords& a, const StateWords& b) {
    return std::equal(a.words_.begin(), a.words_.begin() + static_cast<std::ptrdiff_t>(a.size_), b.words_.begin(),
                      b.words_.begin() + static_cast<std::ptrdiff_t>(b.size_));
  }

 private:
  /// A separate function, so that add() is short enough to be inlined.
  [[gnu::noinline]] void grow() { words_.resize(std::max<std::size_t>(64, 2 * size_)); }

  std::vector<std::uint64_t> words_;  ///< the first `size_` are in use
  std::size_t size_ = 0;
};

}  // namespace gdsim
