#pragma once

#include <gdsim/yaml/yaml_values.hpp>

#include <optional>
#include <span>
#include <string_view>
#include <utility>

namespace gdsim {

/// The code of the problem that a key is none of those that a mapping may have.
inline constexpr std::string_view kUnknownKey = "unknown_key";

/// Reads a mapping whose keys are fixed. Unknown keys are reported when it is made, with the known ones and
/// the likeliest; a node that is no mapping is reported, too, and then has no keys. For one thread at a time, as its
/// ValueReader is, to which it adds problems.
class MapReader {
 public:
  MapReader(const YamlNode& node, std::string_view name, std::span<const std::string_view> known,
            const ValueReader& values);

  bool is_usable() const { return node_.is_mapping(); }
  const YamlNode& node() const { return node_; }
  const ValueReader& values() const { return values_; }

  /// The value of a key; null if it is not there.
  const YamlNode* find(std::string_view key) const { return node_.find(key); }
  /// The same; its absence is reported.
  const YamlNode* require(std::string_view key) const;

  /// Reads the key's value into `target` with a member of ValueReader, if it is there.
  template <class Target, class Member, class... Args>
  void read(std::string_view key, Target& target, Member member, Args... args) const {
    if (const YamlNode* value = find(key)) assign(target, (values_.*member)(*value, key, args...));
  }
  template <class Target, class Member, class... Args>
  void read_required(std::string_view key, Target& target, Member member, Args... args) const {
    if (const YamlNode* value = require(key)) assign(target, (values_.*member)(*value, key, args...));
  }

 private:
  template <class Target, class Value>
  static void assign(Target& target, std::optional<Value> value) {
    if (value) target = std::move(*value);
  }

  const YamlNode& node_;
  std::string_view name_;
  const ValueReader& values_;
};

}  // namespace gdsim
