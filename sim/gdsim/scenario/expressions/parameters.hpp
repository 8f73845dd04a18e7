#pragma once

#include <gdsim/scenario/expressions/expression.hpp>
#include <gdsim/yaml/yaml_node.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gdsim {

/// One number of `parameters:`.
struct Parameter {
  std::string name;
  double value = 0;          ///< a quantity in its base unit: bytes, picoseconds, hertz, bytes per second
  bool is_quantity = false;  ///< it has a unit
};

/// Reads a scenario's `parameters:`: whole numbers and decimals, negative ones too, and quantities. Adds a problem for
/// each name that an expression cannot use, and for each value that is not exact.
std::vector<Parameter> read_parameters(const YamlNode& node, const ValueReader& values);

/// Returns the value of a text in an expression: a number, or a quantity in its base unit. Returns nullopt if the text
/// is neither, or beyond 2^53.
std::optional<double> number_of(const std::string& text);

/// A value that begins with `= ` is an expression; a unit at its end belongs to the result.
struct ExpressionValue {
  std::string_view formula;  ///< a part of the node's text
  std::string_view unit;     ///< `KiB`, `us`, `%`, ...; empty: none
};

/// Returns the node's expression, or nullopt if the node is a plain value.
std::optional<ExpressionValue> expression_of(const YamlNode& node);

/// Returns the place in the file of byte `offset` of the node's text, or the node's place if its text has several
/// lines.
SourceMark mark_within(const YamlNode& node, std::size_t offset);

/// A name in an expression, and the reason if it has no value.
struct KnownName {
  std::string name;
  std::optional<double> value;
  bool is_quantity = false;
  std::string problem = {};
};

/// The names that an expression may use at some place.
class KnownNames {
 public:
  void add(KnownName name) { names_.push_back(std::move(name)); }
  void add_unknown(std::string name, std::string problem) {
    names_.push_back({std::move(name), std::nullopt, false, std::move(problem)});
  }
  bool has(std::string_view name) const;
  /// Returns the entry of a name, which must have been added.
  KnownName& entry_of(std::string_view name);

  std::size_t size() const { return names_.size(); }
  /// Removes all names after the first `size`.
  void resize(std::size_t size) { names_.erase(names_.begin() + static_cast<std::ptrdiff_t>(size), names_.end()); }

  /// Returns the value of a name in this expression. Throws ExpressionError if the name has none there.
  double value(const Expression::Name& name, const ExpressionValue& written) const;

 private:
  const KnownName& find(const Expression::Name& name) const;

  std::vector<KnownName> names_;
};

}  // namespace gdsim
