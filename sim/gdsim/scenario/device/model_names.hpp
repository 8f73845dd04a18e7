#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gdsim {

/// Models that a name may mean.
struct ModelMatch {
  std::vector<std::string> names;  ///< in the order of `known`; empty: none is similar
  bool is_certain = false;         ///< one name, and the given name equals it or whole words of it
};

/// Compares without case, with spaces and underscores as hyphens, and without words of vendors such as `nvidia` and
/// `geforce`; `sm_89` and `cc89` are `cc-8.9`. The first of these rules that finds a model decides: equal, whole words
/// (`a100` in `a100-80gb`), a prefix, a part, a typing error.
ModelMatch match_model(std::string_view name, const std::vector<std::string>& known);

}  // namespace gdsim
