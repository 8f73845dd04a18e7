#include <gdsim/check/check_dispatch.hpp>

#include <gdsim/base/near_names.hpp>
#include <gdsim/base/printable.hpp>

#include <algorithm>

namespace gdsim {

Issues check_dispatch(const DispatchRules& rules, std::span<const std::string_view> placements) {
  Issues found;
  if (rules.placement.empty()) {
    found.push_back(
        {"dispatch.placement", "neither the device nor the scenario names one; known: " + join(placements)});
  } else if (std::find(placements.begin(), placements.end(), rules.placement) == placements.end()) {
    found.push_back(
        {"dispatch.placement", "is " + in_quotes(rules.placement) + "; " + known_names(rules.placement, placements)});
  }
  return found;
}

}  // namespace gdsim
