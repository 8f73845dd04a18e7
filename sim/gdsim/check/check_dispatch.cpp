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
  const bool is_own = rules.kernel_choice == KernelChoice::own;
  if (is_own && !rules.own_kernel_choice)
    found.push_back({"dispatch.own_kernel_choice", "is needed, because `kernel_choice` is KernelChoice::own"});
  if (!is_own && rules.own_kernel_choice)
    found.push_back(
        {"dispatch.own_kernel_choice", in_quotes(rules.own_kernel_choice->name()) +
                                           " is not used, because `kernel_choice` is not KernelChoice::own"});
  return found;
}

}  // namespace gdsim
