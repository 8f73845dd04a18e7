#pragma once

#include <gdsim/base/check.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace gdsim {

/// The least and the largest value of a key whose value is a whole number, or a list of such.
struct WholeRange {
  std::uint64_t min;
  std::uint64_t max;
};

/// The keys that a mapping of a file may have, in the order of the schema. <gdsim/scenario/keys/keys.hpp> has those of
/// all mappings; what they refer to lives as long as the program.
struct MappingKeys {
  std::span<const std::string_view> names;
  std::span<const WholeRange> ranges;  ///< of each key; of one that is no number, any

  constexpr operator std::span<const std::string_view>() const { return names; }
  constexpr auto begin() const { return names.begin(); }
  constexpr auto end() const { return names.end(); }

  constexpr bool contains(std::string_view key) const { return std::find(begin(), end(), key) != end(); }
  /// Returns the range of a key, which must be one of these.
  constexpr WholeRange range_of(std::string_view key) const {
    const auto place = std::find(begin(), end(), key);
    GDSIM_CHECK(place != end(), "a key is read that its mapping does not have");
    return ranges[static_cast<std::size_t>(place - begin())];
  }
};

}  // namespace gdsim
