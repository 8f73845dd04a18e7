#pragma once

#include <gdsim/device/dispatch_rules.hpp>
#include <gdsim/report/json/json_writer.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace gdsim {

/// A key of `dispatch:` with its value, as a file has it: a word, a number, a list of numbers, or further keys.
struct RuleKey {
  std::string key;
  std::string word;
  std::vector<std::uint64_t> numbers = {};
  std::vector<RuleKey> keys = {};
  enum class Kind : std::uint8_t { word, number, list, mapping } kind = Kind::word;
};

/// A mapping in the order of its keys.
using RuleKeys = std::vector<RuleKey>;

RuleKey word_key(std::string key, std::string word);
RuleKey number_key(std::string key, std::uint64_t number);
RuleKey mapping_key(std::string key, RuleKeys keys);

RuleKey batch_key(const BatchRule& batch);
RuleKey tie_order_key(const TieOrder& order);

/// `{placement: most_room, tie_order: evens_then_odds}`, to be pasted after `dispatch:`.
std::string to_yaml(const RuleKeys& keys);
/// Writes the keys as the next value.
void write_json(const RuleKeys& keys, JsonWriter& json);

}  // namespace gdsim
