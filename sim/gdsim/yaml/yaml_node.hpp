#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/base/quantity.hpp>
#include <gdsim/base/text.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gdsim {

struct YamlEntry;

/// A value of a YAML document as written: its type is not guessed.
struct YamlNode {
  enum class Shape : std::uint8_t { scalar, sequence, mapping };
  enum class Style : std::uint8_t { plain, quoted };

  Shape kind = Shape::scalar;
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

  bool is_scalar() const { return kind == Shape::scalar; }
  bool is_sequence() const { return kind == Shape::sequence; }
  bool is_mapping() const { return kind == Shape::mapping; }
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

/// Returns the parts of a dotted path, quotes removed, or nullopt if it has an empty part or an open quote.
std::optional<std::vector<std::string>> path_parts(std::string_view path);

/// Returns the number by which a path names an entry of a list, from 0, or nullopt if it is no number.
std::optional<std::size_t> entry_number(std::string_view part);

/// Returns the place of the value at a dotted path such as `variation.work_groups.6` or `program.0`, or of the nearest
/// value above it that exists.
SourceMark mark_of(const YamlNode& root, std::string_view path);

/// Returns the place of the key at the end of a dotted path; without such a key, as mark_of().
SourceMark key_mark_of(const YamlNode& root, std::string_view path);

/// Returns the value at a dotted path, or null if there is none.
const YamlNode* find_path(const YamlNode& root, std::string_view path);

/// Sets the value at a dotted path: keys of mappings, positions of lists. Missing mappings on the way are made; a
/// device given by name becomes `{base: NAME}`. A part in double quotes may contain dots. A path that cannot be
/// followed is reported at `where`.
void set_path(YamlNode& root, std::string_view path, const YamlNode& value, const SourceMark& where,
              Diagnostics& problems);

/// Reads the one document of `source`, strictly: no anchors, aliases, tags, duplicate keys, keys that are not text,
/// second document, or nesting deeper than 64. Every problem is added to `problems` with its place. Returns nullopt if
/// the text is not YAML at all. The nodes refer to `source`.
std::optional<YamlNode> read_yaml(const SourceText& source, Diagnostics& problems);

/// Reads the value of one key of the outermost mapping, as strictly. Other values take no memory and are not checked.
/// Returns nullopt if the text is not YAML, breaks a rule, or has no such key.
std::optional<YamlNode> read_yaml_value(const SourceText& source, std::string_view key);

/// Returns the text as a scalar in double quotes, with escapes: any text reads back unchanged.
std::string double_quoted(std::string_view text);

/// Returns the document as YAML in block style, which reads back to the same nodes. Comments are lost.
std::string block_text(const YamlNode& root);

/// Returns a value in one line, as written in a file: `12`, `[1, 2]`, `{a: 1}`.
std::string flow_text(const YamlNode& node);

// This must precede the first member that returns one of these. Otherwise clang 14 gives calls of such members a wrong
// signature for wasm32, which only its linker notices.
static_assert(sizeof(std::optional<bool>) != 0 && sizeof(std::optional<std::uint32_t>) != 0 &&
              sizeof(std::optional<std::uint64_t>) != 0 && sizeof(std::optional<std::string>) != 0 &&
              sizeof(std::optional<Decimal>) != 0);

/// Returns the text before the sign, as in `0.5 %`, or nullopt if there is no sign.
std::optional<std::string_view> percent_number(const YamlNode& node);

/// Reads single values, each strictly as one type. Messages call the value `name`. If it is invalid, adds a problem to
/// `problems` and returns nullopt, or null.
class ValueReader {
 public:
  explicit ValueReader(Diagnostics& problems) : problems_(problems) {}

  Diagnostics& problems() const { return problems_; }
  void fail(const YamlNode& node, std::string_view name, const std::string& message) const;

  /// Reads a text, plain or quoted, not empty.
  std::optional<std::string> text(const YamlNode& node, std::string_view name) const;
  /// Reads a whole number written in decimal, not in quotes.
  std::optional<std::uint64_t> whole(const YamlNode& node, std::string_view name, std::uint64_t min = 0,
                                     std::uint64_t max = std::numeric_limits<std::uint64_t>::max()) const;
  std::optional<std::uint32_t> whole32(const YamlNode& node, std::string_view name) const;
  /// Reads a number that is not negative.
  std::optional<Decimal> decimal(const YamlNode& node, std::string_view name) const;
  /// Reads `true` or `false`.
  std::optional<bool> truth(const YamlNode& node, std::string_view name) const;
  /// Reads a quantity with its unit, by one of the parsers of base/quantity.hpp.
  template <class T>
  std::optional<T> quantity(const YamlNode& node, std::string_view name, Parsed<T> (*parse)(std::string_view)) const;
  /// Reads one of a few words.
  template <class E>
  std::optional<E> choice(const YamlNode& node, std::string_view name,
                          std::span<const std::pair<std::string_view, E>> words) const;
  /// Returns the node if it is a list (or mapping), not empty unless allowed.
  const YamlNode* list(const YamlNode& node, std::string_view name) const;
  const YamlNode* mapping(const YamlNode& node, std::string_view name) const;

 private:
  bool is_scalar(const YamlNode& node, std::string_view name, const char* wanted) const;
  void fail_choice(const YamlNode& node, std::string_view name, std::span<const std::string_view> known) const;

  Diagnostics& problems_;
};

template <class T>
std::optional<T> ValueReader::quantity(const YamlNode& node, std::string_view name,
                                       Parsed<T> (*parse)(std::string_view)) const {
  if (!is_scalar(node, name, "a quantity with its unit")) return std::nullopt;
  Parsed<T> parsed = parse(node.text);
  if (!parsed.value) fail(node, name, describe(node) + " " + parsed.problem);
  return parsed.value;
}

template <class E>
std::optional<E> ValueReader::choice(const YamlNode& node, std::string_view name,
                                     std::span<const std::pair<std::string_view, E>> words) const {
  std::vector<std::string_view> known;
  for (const auto& [word, value] : words) {
    if (node.is_scalar() && node.text == word) return value;
    known.push_back(word);
  }
  fail_choice(node, name, known);
  return std::nullopt;
}

}  // namespace gdsim
