#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/base/mapping_keys.hpp>
#include <gdsim/yaml/yaml_node.hpp>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace gdsim {

/// Adds a problem at `where` if the name of `what` begins as a formula does. Names become CSV cells, and a spreadsheet
/// computes a cell that begins with `=`, `+`, `-`, `@`, a tab or a carriage return, quoted or not.
void require_plain_name(std::string_view name, std::string_view what, const SourceMark& where, Diagnostics& problems);

/// The code of the problem that a mapping may not have a key.
inline constexpr std::string_view kUnknownKey = "unknown_key";

/// Reads a mapping whose keys are fixed. The constructor reports unknown keys, with the known ones and the likeliest. A
/// node that is not a mapping is reported, too, and counts as one without keys. Adds problems to its ValueReader, and
/// is not thread-safe either.
class MapReader {
 public:
  /// `lacking`: a key of which the device has nothing, so that no message suggests it.
  MapReader(const YamlNode& node, std::string_view name, const MappingKeys& known, const ValueReader& values,
            std::string_view lacking = {});

  bool is_usable() const { return node_.is_mapping(); }
  const YamlNode& node() const { return node_; }
  const MappingKeys& known() const { return known_; }
  const ValueReader& values() const { return values_; }

  /// Returns the value of a key, or null if it is absent.
  const YamlNode* find(std::string_view key) const { return node_.find(key); }
  /// Returns the value of a key; if it is absent, adds a problem and returns null.
  const YamlNode* require(std::string_view key) const;

  /// Reads the key's value, if present, into `target`, whose type says how: a text, `true` or `false`, a decimal, a
  /// quantity with its unit, one of the words of an enumeration, a mapping of plain keys, a list of these, or a whole
  /// number within the range that the table has for the key, which may also allow `unlimited`.
  template <class Target>
  void read(std::string_view key, Target& target) const {
    if (const YamlNode* value = find(key)) read_into(target, *value, key);
  }
  template <class Target>
  void read_required(std::string_view key, Target& target) const {
    if (const YamlNode* value = require(key)) read_into(target, *value, key);
  }
  /// Reads every plain key of a struct that this mapping may have: a `store` has some of those of `memory`. Those that
  /// the table requires must be there.
  template <HasKeys Rule>
  void read_keys(Rule& rule) const {
    visit_keys(rule, [this](std::string_view key, auto& member) {
      if (!known_.contains(key)) return;
      known_.facts_of(key).is_required ? read_required(key, member) : read(key, member);
    });
  }
  /// Reads one of a few words.
  template <class Target, class E, std::size_t count>
  void read(std::string_view key, Target& target,
            const std::array<std::pair<std::string_view, E>, count>& words) const {
    if (const YamlNode* value = find(key)) assign(target, values_.choice<E>(*value, key, words));
  }

  /// Reads a value of the key, or an item of its list, as a `Value`.
  template <class Value>
  std::optional<Value> read_value(const YamlNode& node, std::string_view key) const {
    if constexpr (std::is_same_v<Value, bool>) {
      return values_.truth(node, key);
    } else if constexpr (std::is_unsigned_v<Value>) {
      const WholeRange range = known_.range_of(key);
      const auto max = std::min<std::uint64_t>(range.max, std::numeric_limits<Value>::max());
      const auto number = values_.whole(node, key, range.min, max);
      return number ? std::optional(static_cast<Value>(*number)) : std::nullopt;
    } else if constexpr (std::is_same_v<Value, std::string>) {
      return values_.text(node, key);
    } else if constexpr (std::is_same_v<Value, Decimal>) {
      return values_.decimal(node, key);
    } else if constexpr (stands_as_truth<Value>()) {
      const auto truth = values_.truth(node, key);
      return truth ? std::optional(static_cast<Value>(*truth)) : std::nullopt;
    } else if constexpr (HasWords<Value>) {
      std::array<std::pair<std::string_view, Value>, words_of(Value{}).size()> words;
      for (std::size_t i = 0; i < words.size(); ++i) words[i] = {words_of(Value{})[i], static_cast<Value>(i)};
      return values_.choice<Value>(node, key, words);
    } else if constexpr (HasKeys<Value>) {
      Value rule;
      read_into(rule, node, key);
      return rule;
    } else {
      return values_.quantity<Value>(node, key, parser(static_cast<const Value*>(nullptr)));
    }
  }

 private:
  template <class Target>
  struct PlainOf {
    using Type = Target;
  };
  template <class Value>
  struct PlainOf<std::optional<Value>> {
    using Type = Value;
  };
  /// What is read into a target that may have no value.
  template <class Target>
  using Plain = typename PlainOf<Target>::Type;

  template <class Value>
  static constexpr bool stands_as_truth() {
    if constexpr (HasWords<Value>) return words_of(Value{}).back() == "true";
    return false;
  }

  static auto parser(const Bytes*) { return parse_bytes; }
  static auto parser(const BytesPerSecond*) { return parse_bandwidth; }
  static auto parser(const Duration*) { return parse_duration; }
  static auto parser(const Hertz*) { return parse_frequency; }
  static auto parser(const Power*) { return parse_power; }
  static auto parser(const SimTime*) { return parse_time; }
  static auto parser(const StepTime*) { return parse_step_time; }

  template <class Target, class Value>
  static void assign(Target& target, std::optional<Value> value) {
    if (value) target = std::move(*value);
  }

  template <class Target>
  void read_into(Target& target, const YamlNode& node, std::string_view key) const {
    assign(target, read_value<Plain<Target>>(node, key));
  }
  template <HasKeys Rule>
  void read_into(Rule& rule, const YamlNode& node, std::string_view key) const {
    MapReader(node, key, *known_.facts_of(key).inner, values_).read_keys(rule);
  }
  template <class Item>
  void read_into(std::vector<Item>& items, const YamlNode& node, std::string_view key) const {
    if (values_.list(node, key) == nullptr) return;
    for (const YamlNode& item : node.items)
      if (auto value = read_value<Item>(item, key)) items.push_back(std::move(*value));
  }
  void read_into(std::optional<std::uint64_t>& count, const YamlNode& node, std::string_view key) const;

  const YamlNode& node_;
  std::string_view name_;
  MappingKeys known_;
  const ValueReader& values_;
};

}  // namespace gdsim
