#pragma once

#include <gdsim/base/int128.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

namespace gdsim {

/// A state told as numbers, so that it can be compared with another one of the same teller: equal words mean that from
/// here on the same will happen.
class StateWords {
 public:
  template <class T>
  requires std::integral<T> || std::is_enum_v<T>
  void add(T value) { words_.push_back(static_cast<std::uint64_t>(value)); }

  void add_wide(UInt128 value) {
    add(static_cast<std::uint64_t>(value >> 64U));
    add(static_cast<std::uint64_t>(value));
  }

  void clear() { words_.clear(); }
  std::size_t size() const { return words_.size(); }
  std::span<const std::uint64_t> range(std::size_t begin, std::size_t end) const {
    return std::span(words_).subspan(begin, end - begin);
  }
  friend bool operator==(const StateWords&, const StateWords&) = default;

 private:
  std::vector<std::uint64_t> words_;
};

}  // namespace gdsim
