#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gdsim {

/// Models that a name may mean.
struct ModelMatch {
  std::vector<std::string> names;  ///< in the order of `known`; empty: none comes near
  bool is_certain = false;         ///< one name, and the name given is all of it or whole words of it
};

/// Compares without case, spaces and underscores as hyphens, and without words of vendors such as `nvidia` and
/// `geforce`; `sm_89` and `cc89` are `cc-8.9`. In this order, the first that finds something: the same, whole words
/// (`a100` in `a100-80gb`), the beginning, a part, a slip of the finger.
ModelMatch match_model(std::string_view name, const std::vector<std::string>& known);

}  // namespace gdsim
