#pragma once

#include <gdsim/base/diagnostic.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gdsim {

struct YamlEntry;

/// A value of a YAML document as written: its type is not guessed.
struct YamlNode {
  enum class Kind : std::uint8_t { scalar, sequence, mapping };
  enum class Style : std::uint8_t { plain, quoted };

  Kind kind = Kind::scalar;
  Style style = Style::plain;  ///< of a scalar
  /// The number, from 1, of an expression with a different value for each work-group of its kernel; 0: it is none.
  std::uint32_t group_value = 0;
  /// The same for each tile of the list whose body contains it. For such a body: the number of its values, from 1.
  std::uint32_t tile_value = 0;
  bool is_computed = false;  ///< the text is the result of an expression
  bool is_chosen = false;    ///< the size was chosen for `auto`
  SourceMark mark;
  std::string text;                ///< the text of a scalar
  std::vector<YamlNode> items;     ///< of a sequence
  std::vector<YamlEntry> entries;  ///< of a mapping, in the order of the file, each key once

  bool is_scalar() const { return kind == Kind::scalar; }
  bool is_sequence() const { return kind == Kind::sequence; }
  bool is_mapping() const { return kind == Kind::mapping; }
  /// Returns true if the value was left out, as in `slm:` with nothing after it.
  bool is_missing() const { return is_scalar() && style == Style::plain && text.empty(); }

  /// Returns the value of a mapping's key; null if there is none.
  const YamlNode* find(std::string_view key) const;
  YamlNode* find(std::string_view key);
  /// Sets or adds an entry of a mapping.
  void set(std::string_view key, const SourceMark& key_mark, YamlNode value);
};

struct YamlEntry {
  std::string key;
  SourceMark key_mark;
  YamlNode value;

  /// Returns the key as a node, so that it can be read as a value.
  YamlNode key_node() const;
};

/// Returns the node in words, for messages: `'12'`, `a list`, `a mapping`, `nothing`.
std::string describe(const YamlNode& node);

}  // namespace gdsim
