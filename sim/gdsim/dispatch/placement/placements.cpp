#include <gdsim/dispatch/placement/placements.hpp>

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/base/text.hpp>
#include <gdsim/device/core_blocks.hpp>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>

namespace gdsim {

Candidates::Candidates(std::size_t first, std::size_t cores, const std::vector<CoreId>& order)
    : first_(first), position_of_(cores), answers_(cores), occupied_costs_(0) {
  for (const CoreId core : order)
    if (first <= index_of(core) && index_of(core) < first + cores) order_.push_back(core);
  for (std::size_t i = order_.size(); i < cores; ++i) order_.push_back(static_cast<CoreId>(first + i));
  for (std::size_t position = 0; position < cores; ++position)
    position_of_[index_of(order_[position]) - first] = position;
}

void Candidates::grow(std::size_t cost) {
  while (by_cost_.size() <= cost) by_cost_.emplace_back(answers_.size());
  occupied_costs_.grow(by_cost_.size());
}

std::size_t Placement::cost(const Core&, const Footprint&) const { return 0; }

std::optional<std::size_t> Placement::choose(const IndexSet& offered) { return offered.next(0); }

std::size_t LeastLoaded::cost(const Core& core, const Footprint&) const { return core.occupied(); }

std::size_t MostRoom::cost(const Core& core, const Footprint& full) const {
  return static_cast<std::size_t>(full.most - core.how_many_more(full));
}

std::optional<std::size_t> RoundRobin::choose(const IndexSet& offered) {
  auto core = offered.next(cursor_);
  if (!core) core = offered.next(0);
  cursor_ = (*core + 1) % offered.size();
  return core;
}

namespace {

/// Returns the first member of the set in [first, last) at or cyclically after `from`. There must be one.
std::size_t next_member(const IndexSet& set, std::size_t first, std::size_t last, std::size_t from) {
  const auto member = set.next(from);
  return member && *member < last ? *member : *set.next(first);
}

}  // namespace

GroupRoundRobin::GroupRoundRobin(const DeviceSpec& device) {
  nodes_.push_back({0, device.cores, 0, 0, 0});
  split(0, device.core_groups, 0);
}

/// Appends the children of the node: the groups of the level, or single cores below the last level.
void GroupRoundRobin::split(std::size_t node, const CoreGroups& levels, std::size_t level) {
  const std::size_t first = nodes_[node].first;
  const std::size_t cores = nodes_[node].last - first;
  if (cores <= 1) return;
  const CoreGroupLevel of_cores{"", static_cast<std::uint32_t>(cores), {}};
  const auto bounds = group_bounds(level < levels.size() ? levels[level] : of_cores, first, first + cores);
  const std::size_t count = bounds.size() - 1;
  const std::size_t children = nodes_.size();
  nodes_[node].children = children;
  nodes_[node].child_count = count;
  for (std::size_t i = 0; i < count; ++i) nodes_.push_back({bounds[i], bounds[i + 1], 0, 0, 0});
  for (std::size_t i = 0; i < count; ++i) split(children + i, levels, level + 1);
}

std::optional<std::size_t> GroupRoundRobin::choose(const IndexSet& offered) {
  std::size_t at = 0;
  while (nodes_[at].child_count > 0) {
    Node& node = nodes_[at];
    const auto children = nodes_.begin() + static_cast<std::ptrdiff_t>(node.children);
    const std::size_t core =
        next_member(offered, node.first, node.last, children[static_cast<std::ptrdiff_t>(node.cursor)].first);
    const auto behind = std::upper_bound(children, children + static_cast<std::ptrdiff_t>(node.child_count), core,
                                         [](std::size_t number, const Node& child) { return number < child.first; });
    const auto child = static_cast<std::size_t>(behind - children) - 1;
    node.cursor = (child + 1) % node.child_count;
    at = node.children + child;
  }
  return nodes_[at].first;
}

std::size_t OwnPlacementAdapter::cost(const Core& core, const Footprint& full) const {
  return static_cast<std::size_t>(
      policy_->cost(CoreLoad{core.occupied(), core.held_contexts(), core.how_many_more(full), full.most}));
}

std::optional<std::size_t> OwnPlacementAdapter::choose(const IndexSet& offered) {
  offered_.clear();
  for (auto position = offered.next(0); position; position = offered.next(*position + 1))
    offered_.push_back(CoreId{static_cast<std::uint32_t>(*position)});
  const std::optional<std::size_t> chosen = policy_->choose(offered_);
  if (!chosen) return std::nullopt;
  if (*chosen >= offered_.size())
    throw InputError("dispatch.placement: " + in_quotes(name_) + " chose position " + std::to_string(*chosen) + " of " +
                     std::to_string(offered_.size()) + " cores, numbered from 0");
  return index_of(offered_[*chosen]);
}

std::unique_ptr<Placement> OwnPlacementAdapter::copy() const {
  auto policy = policy_->copy();
  return std::unique_ptr<Placement>(new OwnPlacementAdapter(name_, std::move(policy)));
}

namespace {

/// Returns, by core, its group of the level, or 0 if there is no such level.
std::vector<std::size_t> groups_by_core(const DeviceSpec& device, const std::optional<std::string>& level) {
  std::vector<std::size_t> numbers(device.cores, 0);
  const auto groups = level ? groups_of_level(device, *level) : std::nullopt;
  if (!groups) return numbers;
  for (std::size_t i = 0; i < groups->size(); ++i)
    for (std::size_t core = (*groups)[i].first; core < (*groups)[i].last; ++core) numbers[core] = i;
  return numbers;
}

}  // namespace

ClusterRoom::ClusterRoom(const DeviceSpec& device, const DispatchRules& rules, const CoreBlock& cores)
    : first_(cores.first) {
  if (!device.clusters) return;
  const auto clusters = groups_by_core(device, device.clusters->within);
  const auto partitions =
      groups_by_core(device, rules.partition ? std::optional(rules.partition->across) : std::nullopt);
  std::map<std::pair<std::size_t, std::size_t>, std::uint32_t> known;
  for (std::size_t core = cores.first; core < cores.last; ++core) {
    const auto [entry, is_new] =
        known.emplace(std::pair(clusters[core], partitions[core]), static_cast<std::uint32_t>(groups_.size()));
    if (is_new) groups_.emplace_back();
    groups_[entry->second].push_back(static_cast<CoreId>(core));
    groups_of_.push_back(entry->second);
  }
  has_room_.resize(cores.count(), false);
  counts_.resize(groups_.size(), 0);
}

bool ClusterRoom::set(CoreId core, bool has_room, std::uint64_t size) {
  const bool could = can_take(core, size);
  auto known = has_room_[index_of(core) - first_];
  counts_[group_of(core)] += std::uint64_t{has_room} - std::uint64_t{known};
  known = has_room;
  return can_take(core, size) != could;
}

namespace {

template <class P>
std::unique_ptr<Placement> make(const DeviceSpec&) {
  return std::make_unique<P>();
}

std::unique_ptr<Placement> make_group_round_robin(const DeviceSpec& device) {
  return std::make_unique<GroupRoundRobin>(device);
}

}  // namespace

const PlacementCatalog& built_in_placements() {
  static const PlacementCatalog catalog{{{"fill_first", make<FillFirst>},
                                         {"round_robin", make<RoundRobin>},
                                         {"least_loaded", make<LeastLoaded>},
                                         {"most_room", make<MostRoom>},
                                         {"group_round_robin", make_group_round_robin}}};
  return catalog;
}

Issues check_own_placements(std::span<const OwnPlacement> own) {
  std::vector<std::string_view> known = built_in_placements().placement_names();
  Issues found;
  for (std::size_t i = 0; i < own.size(); ++i) {
    const std::string& name = own[i].name();
    const std::string path = item_path("dispatch.own_placements", i);
    if (name.empty()) found.push_back({path, "has no name"});
    if (std::find(known.begin(), known.end(), name) != known.end())
      found.push_back({path, in_quotes(name) + " is the name of another placement"});
    known.push_back(name);
  }
  return found;
}

PlacementCatalog with_own_placements(PlacementCatalog catalog, std::span<const OwnPlacement> own) {
  for (const OwnPlacement& placement : own)
    catalog.placements.push_back({placement.name(), [placement](const DeviceSpec&) {
                                    return std::make_unique<OwnPlacementAdapter>(placement);
                                  }});
  return catalog;
}

std::unique_ptr<Placement> PlacementCatalog::make_placement(std::string_view name, const DeviceSpec& device) const {
  for (const PlacementEntry& entry : placements)
    if (entry.name == name) return entry.make ? entry.make(device) : nullptr;
  return nullptr;
}

PlacementMaker PlacementCatalog::maker(std::string_view name) const {
  for (const PlacementEntry& entry : placements)
    if (entry.name == name) return entry.make;
  return {};
}

std::vector<std::string_view> PlacementCatalog::placement_names() const {
  std::vector<std::string_view> names;
  for (const PlacementEntry& entry : placements) names.push_back(entry.name);
  return names;
}

}  // namespace gdsim
