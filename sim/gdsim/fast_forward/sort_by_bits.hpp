#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace gdsim {

inline constexpr unsigned kSortDigitBits = 8;

/// Sorts the first `count` items by the bits `from` to `to` - 1 of `key_of(item)`, as a stable radix sort without
/// branches that depend on the keys. From bit `to` on, all keys must be equal. Returns the number of digits. `spare`
/// must have at least `count` items; its values are unspecified afterwards.
template <class Item, class KeyOf>
unsigned sort_by_bits(std::vector<Item>& items, std::vector<Item>& spare, std::size_t count, unsigned from, unsigned to,
                      KeyOf key_of) {
  constexpr std::size_t values = std::size_t{1} << kSortDigitBits;
  unsigned digits = 0;
  for (unsigned shift = from; shift < to; shift += kSortDigitBits, ++digits) {
    const auto digit = [=](const Item& item) { return key_of(item) >> shift & (values - 1); };
    const Item* const sorted = items.data();
    Item* const places = spare.data();
    std::array<std::uint32_t, values + 1> begin{};
    for (std::size_t i = 0; i < count; ++i) ++begin[digit(sorted[i]) + 1];
    for (std::size_t i = 1; i < begin.size(); ++i) begin[i] += begin[i - 1];
    for (std::size_t i = 0; i < count; ++i) places[begin[digit(sorted[i])]++] = sorted[i];
    items.swap(spare);
  }
  return digits;
}

}  // namespace gdsim
