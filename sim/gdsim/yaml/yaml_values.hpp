#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/base/quantity.hpp>
#include <gdsim/base/text.hpp>
#include <gdsim/yaml/yaml_node.hpp>

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gdsim {

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
  void fail(const YamlNode& node, std::string_view name, const std::string& what) const;

  /// Reads a text, plain or quoted, not empty.
  std::optional<std::string> text(const YamlNode& node, std::string_view name) const;
  /// Reads a whole number written in decimal, not in quotes.
  std::optional<std::uint64_t> whole(const YamlNode& node, std::string_view name, std::uint64_t min = 0,
                                     std::uint64_t max = std::numeric_limits<std::uint64_t>::max()) const;
  std::optional<std::uint32_t> whole32(const YamlNode& node, std::string_view name, std::uint32_t min = 0) const;
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
