#pragma once

#include <gdsim/scenario/expressions/expression.hpp>
#include <gdsim/scenario/expressions/expression_value.hpp>

#include <functional>
#include <map>
#include <string>

namespace gdsim {

/// Parsed expressions by their text: a scenario that is read many times parses each once.
using ExpressionCache = std::map<std::string, Expression, std::less<>>;

/// The parsed formula, which stays valid as long as the cache. Throws ExpressionError.
inline const Expression& parsed(ExpressionCache& cache, const ExpressionValue& written) {
  auto known = cache.find(written.formula);
  if (known == cache.end()) known = cache.emplace(std::string(written.formula), Expression(written.formula)).first;
  return known->second;
}

}  // namespace gdsim
