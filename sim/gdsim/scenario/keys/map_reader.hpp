#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/yaml/yaml_node.hpp>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

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
  MapReader(const YamlNode& node, std::string_view name, std::span<const std::string_view> known,
            const ValueReader& values);

  bool is_usable() const { return node_.is_mapping(); }
  const YamlNode& node() const { return node_; }
  const ValueReader& values() const { return values_; }

  /// Returns the value of a key, or null if it is absent.
  const YamlNode* find(std::string_view key) const { return node_.find(key); }
  /// Returns the value of a key; if it is absent, adds a problem and returns null.
  const YamlNode* require(std::string_view key) const;

  /// Reads the key's value, if present, into `target` with a member of ValueReader.
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
