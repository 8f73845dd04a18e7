#include <gdsim/infer/core_choice.hpp>

#include <gdsim/dispatch/dispatchers.hpp>
#include <gdsim/dispatch/placement/placements.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <utility>

namespace gdsim {
namespace {

/// The cores of one dispatcher, or of one partition, while a log is replayed.
struct GroupReplay {
  GroupReplay(const CoreBlock& of_cores, const std::vector<CoreId>& order, std::size_t kinds,
              std::unique_ptr<Placement> of_placement)
      : cores(of_cores),
        candidates(kinds, Candidates(cores.first, cores.count(), order)),
        only(cores.count()),
        placement(std::move(of_placement)) {}

  CoreBlock cores;
  std::vector<Candidates> candidates;  ///< by kind of work-group
  IndexSet only;                       ///< scratch
  std::unique_ptr<Placement> placement;
  std::optional<std::int64_t> placed_at;
};

class Decider {
 public:
  Decider(const Replay& replay, const CoreChoice& choice, const CoreGrouping& grouping, const DeviceSpec& device,
          const PlacementCatalog& policies)
      : replay_(replay), choice_(choice), levels_(replay.levels[choice.placement]) {
    const CoreBlock whole{0, device.cores, grouping.levels};
    const auto groups = choice.group_order == GroupOrder::none ? std::vector{whole} : grouping.groups;
    with_room_.assign(replay.kinds, IndexSet(groups.size()));
    DeviceSpec grouped = device;
    grouped.core_groups = grouping.levels;
    const std::vector<CoreId> order =
        choice.uses_tie_order ? choice.tie_order.cores_of(device.cores) : std::vector<CoreId>{};
    group_of_core_.resize(device.cores, 0);
    for (const CoreBlock& cores : groups) {
      for (std::size_t core = cores.first; core < cores.last; ++core)
        group_of_core_[core] = static_cast<std::uint32_t>(groups_.size());
      groups_.emplace_back(cores, order, replay.kinds,
                           policies.placements[choice.placement].make(device_of_block(grouped, cores)));
    }
  }

  void run(DecisionBits& right) {
    for (const ReplayStep& step : replay_.steps) {
      follow(step);
      if (chosen(step) == CoreId{step.core}) right.set(step.bit);
      go_on(step);
    }
  }

  /// Returns the core that the choice takes in the step with this bit, or nullopt if no core has room.
  std::optional<CoreId> choice_at(std::uint32_t bit) {
    for (const ReplayStep& step : replay_.steps) {
      follow(step);
      const auto core = chosen(step);
      if (step.bit == bit) return core;
      go_on(step);
    }
    return std::nullopt;
  }

 private:
  /// Applies the changes of the cores before the step.
  void follow(const ReplayStep& step) {
    for (; at_ < step.changes_end; ++at_) {
      const CoreChange& change = replay_.changes[at_];
      const std::uint32_t index = group_of_core_[change.core];
      Candidates& candidates = groups_[index].candidates[change.kind];
      if (change.is_candidate) {
        candidates.put(CoreId{change.core}, levels_[at_]);
      } else {
        candidates.erase(CoreId{change.core});
      }
      if (candidates.empty()) with_room_[change.kind].erase(index);
      if (!candidates.empty()) with_room_[change.kind].insert(index);
    }
  }

  /// Returns the core that the choice takes, or nullopt. If it is the step's core, `chosen_` is updated by this choice.
  std::optional<CoreId> chosen(const ReplayStep& step) {
    chosen_.reset();
    const auto index = group_for(step);
    if (!index || groups_[*index].candidates[step.kind].empty()) return std::nullopt;
    GroupReplay& group = groups_[*index];
    const Candidates& candidates = group.candidates[step.kind];
    chosen_ = group.placement->copy();
    const auto position = chosen_->choose(candidates.best());
    const auto core = position ? std::optional(candidates.core_at(*position)) : std::nullopt;
    if (core != CoreId{step.core}) chosen_.reset();
    return core;
  }

  /// Places the work-group on the log's core, whatever was chosen.
  void go_on(const ReplayStep& step) {
    const std::uint32_t index = group_of_core_[step.core];
    GroupReplay& group = groups_[index];
    if (chosen_) {
      group.placement = std::move(chosen_);
    } else {
      const std::size_t position = group.candidates[step.kind].position_of(CoreId{step.core});
      group.only.insert(position);
      group.placement->choose(group.only);
      group.only.erase(position);
    }
    group.placed_at = step.start;
    last_ = index;
    last_start_ = step.start;
    has_placed_ = true;
  }

  /// Returns the group that is next, or nullopt.
  std::optional<std::size_t> group_for(const ReplayStep& step) const {
    const std::size_t count = groups_.size();
    switch (choice_.group_order) {
      case GroupOrder::none: return 0;
      case GroupOrder::contiguous: return part_of(step, count);
      case GroupOrder::cyclic: return static_cast<std::size_t>(step.number % count);
      case GroupOrder::until_full: {
        const bool goes_on = has_placed_ && last_start_ == step.start;
        return next_with_room(step.kind, goes_on ? last_ : last_ + (has_placed_ ? 1U : 0U), std::nullopt);
      }
      case GroupOrder::one_each: return next_with_room(step.kind, last_ + (has_placed_ ? 1U : 0U), step.start);
    }
    return std::nullopt;
  }

  /// Returns the group of the step's work-group: group g has the numbers from floor(g N / G) to floor((g + 1) N / G) -
  /// 1.
  static std::size_t part_of(const ReplayStep& step, std::size_t count) {
    auto part = static_cast<std::size_t>(UInt128{step.number} * count / step.grid);
    while (part + 1 < count && UInt128{part + 1} * step.grid / count <= step.number) ++part;
    return part;
  }

  /// Returns the first group from `from`, cyclically, with a candidate and no placement at `busy_at`, or nullopt.
  std::optional<std::size_t> next_with_room(std::uint32_t kind, std::size_t from,
                                            std::optional<std::int64_t> busy_at) const {
    const IndexSet& with_room = with_room_[kind];
    if (with_room.empty()) return std::nullopt;
    std::size_t at = from % groups_.size();
    for (std::size_t i = 0; i < groups_.size(); ++i) {
      auto found = with_room.next(at);
      if (!found) found = with_room.next(0);
      if (!busy_at || !is_timed() || groups_[*found].placed_at != busy_at) return found;
      at = (*found + 1) % groups_.size();
    }
    return std::nullopt;
  }

  /// Returns false if a session has no times: all its decisions are at 0, and no group is busy.
  bool is_timed() const { return replay_.steps.back().start != replay_.steps.front().start; }

  const Replay& replay_;
  const CoreChoice& choice_;
  const std::vector<std::uint32_t>& levels_;
  std::vector<std::uint32_t> group_of_core_;
  std::vector<GroupReplay> groups_;
  std::unique_ptr<Placement> chosen_;  ///< of the group that is next, if it chose the step's core
  std::vector<IndexSet> with_room_;    ///< by kind: groups with a candidate
  std::size_t at_ = 0;                 ///< position in the changes
  std::size_t last_ = 0;
  std::int64_t last_start_ = 0;
  bool has_placed_ = false;
};

}  // namespace

void decide(const Replay& replay, const CoreChoice& choice, const CoreGrouping& grouping, const DeviceSpec& device,
            const PlacementCatalog& policies, DecisionBits& right) {
  if (replay.steps.empty()) return;
  Decider(replay, choice, grouping, device, policies).run(right);
}

std::optional<CoreId> chosen_core(const Replay& replay, const CoreChoice& choice, const CoreGrouping& grouping,
                                  const DeviceSpec& device, const PlacementCatalog& policies, std::uint32_t bit) {
  return Decider(replay, choice, grouping, device, policies).choice_at(bit);
}

namespace {

CoreGrouping one_level(const DeviceSpec& device, std::uint32_t groups) {
  CoreGrouping grouping{"core_group", {{"group", groups, {}}}, false, {}};
  const std::vector<std::size_t> bounds = group_bounds(grouping.levels.front(), 0, device.cores);
  for (std::size_t i = 0; i + 1 < bounds.size(); ++i) grouping.groups.push_back({bounds[i], bounds[i + 1], {}});
  return grouping;
}

TieOrder listed(std::uint32_t cores) {
  TieOrder order{TieOrder::Pattern::listed, {}};
  for (std::uint32_t i = 0; i < cores; ++i) order.cores.push_back(CoreId{cores - 1 - i});
  return order;
}

/// Ascending, evens then odds, descending, and the device's own order if it is a different one.
std::vector<TieOrder> tie_orders(const DeviceSpec& device) {
  std::vector<TieOrder> orders{{TieOrder::Pattern::ascending, {}}, {TieOrder::Pattern::evens_then_odds, {}}};
  orders.push_back(listed(device.cores));
  const std::vector<CoreId> cores_in_order = device.tie_order.cores_of(device.cores);
  const bool is_known = std::any_of(orders.begin(), orders.end(), [&](const TieOrder& order) {
    return order.cores_of(device.cores) == cores_in_order;
  });
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

std::vector<CoreChoice> core_choices(const PlacementCatalog& policies, const DeviceSpec& device,
                                     const std::vector<CoreGrouping>& groupings) {
  const std::vector<TieOrder> orders = tie_orders(device);
  std::vector<CoreChoice> choices;
  for (std::size_t placement = 0; placement < policies.placements.size(); ++placement) {
    const auto policy = policies.placements[placement].make(device);
    if (policy == nullptr || policy->copy() == nullptr) continue;
    const bool by_ties = policy->positions() == Positions::by_tie_order;
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

namespace {

/// The last two instants at which a dispatcher placed something.
struct Instants {
  std::optional<std::int64_t> last;
  std::optional<std::int64_t> before;
  std::uint32_t threads = 0;  ///< placed by the last placement at the last instant
  std::uint32_t threads_before = 0;

  void note(std::int64_t at, std::uint32_t placed) {
    if (last != at) {
      before = last;
      threads_before = threads;
    }
    last = at;
    threads = placed;
  }
};

}  // namespace

TurnTiming turn_timing(const std::vector<Replay>& replays, const CoreGrouping& grouping, std::size_t cores) {
  std::vector<std::size_t> unit_of_core(cores, 0);
  for (std::size_t unit = 0; unit < grouping.groups.size(); ++unit)
    for (std::size_t core = grouping.groups[unit].first; core < grouping.groups[unit].last; ++core)
      unit_of_core[core] = unit;
  TurnTiming timing;
  for (const Replay& replay : replays) {
    std::vector<Instants> instants(grouping.groups.size());
    std::map<std::uint32_t, std::int64_t> begun;  // launches, and their first placement
    for (const ReplayStep& step : replay.steps) {
      Instants& of_unit = instants[unit_of_core[step.core]];
      const auto [launch, is_first] = begun.emplace(step.launch, step.start);
      if (of_unit.last && !is_first && step.fits) {
        ++timing.placements;
        const bool is_simultaneous = of_unit.last == step.start;
        if (is_simultaneous) ++timing.simultaneous;
        const auto earlier = is_simultaneous ? of_unit.before : of_unit.last;
        if (earlier && step.free_since <= *earlier && launch->second <= *earlier) {
          ++timing.late;
          const std::uint32_t threads = is_simultaneous ? of_unit.threads_before : of_unit.threads;
          timing.waits.push_back(step.start - *earlier);
          timing.waits_by_threads[threads].push_back(step.start - *earlier);
        }
      }
      if (!of_unit.last && step.fits) {
        ++timing.firsts;
        if (step.free_since <= launch->second && launch->second < step.start) ++timing.idle;
      }
      of_unit.note(step.start, step.threads);
    }
  }
  std::sort(timing.waits.begin(), timing.waits.end());
  for (auto& [threads, waits] : timing.waits_by_threads) std::sort(waits.begin(), waits.end());
  return timing;
}

}  // namespace gdsim
