#pragma once

#include <gdsim/scenario/expressions/expression.hpp>
#include <gdsim/scenario/expressions/expression_value.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gdsim {

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
