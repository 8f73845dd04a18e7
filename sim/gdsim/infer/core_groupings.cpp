#include <gdsim/infer/core_choice.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace gdsim {
namespace {

CoreGrouping one_level(const DeviceSpec& device, std::uint32_t groups) {
  CoreGrouping grouping{"core_group", {{"group", groups, {}}}, false, {}};
  const std::vector<std::size_t> bounds = group_bounds(grouping.levels.front(), 0, device.cores);
  for (std::size_t i = 0; i + 1 < bounds.size(); ++i) grouping.groups.push_back({bounds[i], bounds[i + 1], {}});
  return grouping;
}

TieOrder listed(std::uint32_t cores) {
  TieOrder order{TieOrder::Kind::listed, {}};
  for (std::uint32_t i = 0; i < cores; ++i) order.cores.push_back(CoreId{cores - 1 - i});
  return order;
}

/// Ascending, evens then odds, descending, and the device's own order if it is a different one.
std::vector<TieOrder> tie_orders(const DeviceSpec& device) {
  std::vector<TieOrder> orders{{TieOrder::Kind::ascending, {}}, {TieOrder::Kind::evens_then_odds, {}}};
  orders.push_back(listed(device.cores));
  const std::vector<CoreId> own = device.tie_order.of(device.cores);
  const bool is_known =
      std::any_of(orders.begin(), orders.end(), [&](const TieOrder& order) { return order.of(device.cores) == own; });
  if (!is_known) orders.push_back(device.tie_order);
  return orders;
}

void add_choices(std::size_t placement, const std::vector<TieOrder>& orders, bool uses_tie_order, std::size_t grouping,
                 GroupOrder group_order, std::vector<CoreChoice>& choices) {
  for (const TieOrder& order : orders) {
    choices.push_back({placement, order, uses_tie_order, grouping, group_order});
    if (!uses_tie_order) return;
  }
}

}  // namespace

std::vector<CoreGrouping> core_groupings(const DeviceSpec& device) {
  std::vector<CoreGrouping> groupings{{"device", device.core_groups, true, {{0, device.cores, device.core_groups}}}};
  for (const CoreGroupLevel& level : device.core_groups)
    if (auto groups = groups_of_level(device, level.name); groups && groups->size() > 1)
      groupings.push_back({level.name, device.core_groups, true, *std::move(groups)});
  if (device.cores < 2) return groupings;
  groupings.push_back({"core", device.core_groups, true, *core_blocks(device, "core")});
  for (std::uint32_t groups = 2; groups < device.cores; ++groups) {
    if (device.cores % groups != 0) continue;
    CoreGrouping grouping = one_level(device, groups);
    const bool is_known = std::any_of(groupings.begin(), groupings.end(), [&](const CoreGrouping& other) {
      return other.groups.size() == groups &&
             std::equal(other.groups.begin(), other.groups.end(), grouping.groups.begin(),
                        [](const auto& a, const auto& b) { return a.first == b.first; });
    });
    if (!is_known) groupings.push_back(std::move(grouping));
  }
  return groupings;
}

std::vector<CoreChoice> core_choices(const PolicyCatalog& policies, const DeviceSpec& device,
                                     const std::vector<CoreGrouping>& groupings) {
  const std::vector<TieOrder> orders = tie_orders(device);
  std::vector<CoreChoice> choices;
  for (std::size_t placement = 0; placement < policies.placements.size(); ++placement) {
    const auto made = policies.placements[placement].make(device);
    if (made == nullptr || made->copy() == nullptr) continue;
    const bool by_ties = made->positions() == Positions::by_tie_order;
    const std::string_view name = policies.placements[placement].name;
    const bool by_groups = name == "group_round_robin";
    for (std::size_t i = 0; i < groupings.size(); ++i) {
      const CoreGrouping& grouping = groupings[i];
      // Without groups, group_round_robin is round_robin; only a whole device has groups without dispatchers.
      const bool has_inner = grouping.level == "device" ? !grouping.levels.empty() : !grouping.is_of_device;
      if (grouping.level == "device" && (!by_groups || has_inner))
        add_choices(placement, orders, by_ties, i, GroupOrder::none, choices);
      if (by_groups && !grouping.is_of_device) add_choices(placement, orders, by_ties, i, GroupOrder::none, choices);
      if (grouping.level == "device" || by_groups) continue;
      for (const GroupOrder group_order :
           {GroupOrder::one_each, GroupOrder::until_full, GroupOrder::contiguous, GroupOrder::cyclic}) {
        // Among single cores no placement has a choice, so one represents all; no partition is across single cores.
        const bool is_partition = group_order == GroupOrder::contiguous || group_order == GroupOrder::cyclic;
        if (grouping.level == "core" && (name != "round_robin" || is_partition)) continue;
        add_choices(placement, orders, by_ties, i, group_order, choices);
      }
    }
  }
  return choices;
}

}  // namespace gdsim
