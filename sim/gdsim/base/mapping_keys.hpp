#pragma once

#include <gdsim/base/check.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>

namespace gdsim {

/// The least and the largest value of a key whose value is a whole number, or of the items of its list. Of a quantity,
/// they count picoseconds, bytes, bytes per second, hertz or microwatts.
struct WholeRange {
  std::uint64_t min;
  std::uint64_t max;
};

struct MappingKeys;

/// What the schema says of a key.
struct KeyFacts {
  WholeRange range;          ///< any, if the value is neither a whole number nor a quantity
  std::string_view example;  ///< a line of a file: `recovery: 325 cycles`; empty if it is no plain value
  const MappingKeys* inner;  ///< the keys of the mapping, or of each mapping of the list, that is its value, or null
  bool is_required;
  bool may_be_unlimited;  ///< its value may be the word `unlimited`
};

/// The keys that a mapping of a file may have, in the order of the schema. <gdsim/base/keys.hpp> has those of all
/// mappings; what they refer to lives as long as the program.
struct MappingKeys {
  std::span<const std::string_view> names;
  std::span<const KeyFacts> facts;  ///< of each key

  constexpr operator std::span<const std::string_view>() const { return names; }
  constexpr auto begin() const { return names.begin(); }
  constexpr auto end() const { return names.end(); }

  constexpr bool contains(std::string_view key) const { return std::find(begin(), end(), key) != end(); }
  /// Return the facts, and the range, of a key, which must be one of these.
  constexpr const KeyFacts& facts_of(std::string_view key) const {
    const auto place = std::find(begin(), end(), key);
    GDSIM_CHECK(place != end(), "a key is read that its mapping does not have");
    return facts[static_cast<std::size_t>(place - begin())];
  }
  constexpr WholeRange range_of(std::string_view key) const { return facts_of(key).range; }
};

namespace keys {
extern const MappingKeys kDevice, kKernel;
}

/// A struct whose plain keys visit_keys() lists.
template <class Rule>
concept HasKeys = requires(Rule& rule, void (&visit)(...)) {
  visit_keys(rule, visit);
};

/// An enumeration whose words_of() returns the words for its enumerators in files, in their order from 0. If these are
/// `false` and `true`, any truth value is allowed.
template <class Enum>
concept HasWords = std::is_enum_v<Enum> && requires {
  words_of(Enum{});
};

}  // namespace gdsim
