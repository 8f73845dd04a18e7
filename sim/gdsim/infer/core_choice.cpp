#include <gdsim/infer/core_choice.hpp>

#include <gdsim/base/check.hpp>
#include <gdsim/dispatch/dispatch_units.hpp>
#include <gdsim/dispatch/placement/candidates.hpp>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

namespace gdsim {
namespace {

/// One dispatcher, or one part of a partition, while a log is replayed.
struct Unit {
  Unit(const DispatcherCores& of_cores, const std::vector<CoreId>& order, std::unique_ptr<Placement> of_placement)
      : cores(of_cores),
        candidates(cores.first, cores.count(), order),
        only(cores.count()),
        placement(std::move(of_placement)) {}

  DispatcherCores cores;
  Candidates candidates;
  IndexSet only;  ///< scratch
  std::unique_ptr<Placement> placement;
  std::optional<std::int64_t> placed_at;
};

class Decider {
 public:
  Decider(const Replay& replay, const CoreChoice& choice, const CoreGrouping& grouping, const DeviceSpec& device,
          const PolicyCatalog& policies)
      : replay_(replay), choice_(choice), levels_(replay.levels[choice.placement]), with_room_(0) {
    const DispatcherCores whole{0, device.cores, grouping.levels};
    const auto groups = choice.turn == GroupTurn::none ? std::vector{whole} : grouping.groups;
    with_room_ = IndexSet(groups.size());
    DeviceSpec grouped = device;
    grouped.core_groups = grouping.levels;
    const std::vector<CoreId> order = choice.uses_tie_order ? choice.tie_order.of(device.cores) : std::vector<CoreId>{};
    unit_of_core_.resize(device.cores, 0);
    for (const DispatcherCores& cores : groups) {
      for (std::size_t core = cores.first; core < cores.last; ++core)
        unit_of_core_[core] = static_cast<std::uint32_t>(units_.size());
      units_.emplace_back(cores, order, policies.placements[choice.placement].make(device_of(grouped, cores)));
    }
  }

  void run(DecisionBits& right) {
    for (const ReplayStep& step : replay_.steps) {
      follow(step);
      if (chooses(step)) {
        right.set(step.bit);
      } else {
        note_actual(step);
      }
      Unit& unit = units_[unit_of_core_[step.core]];
      unit.placed_at = step.start;
      last_ = unit_of_core_[step.core];
      last_start_ = step.start;
      has_placed_ = true;
    }
  }

 private:
  /// What changed on the cores up to the step.
  void follow(const ReplayStep& step) {
    if (step.changes_all)
      for (Unit& unit : units_) unit.candidates.clear();
    if (step.changes_all) with_room_ = IndexSet(units_.size());
    for (; at_ < step.changes_end; ++at_) {
      const CoreChange& change = replay_.changes[at_];
      Unit& unit = units_[unit_of_core_[change.core]];
      if (change.is_candidate) {
        unit.candidates.put(CoreId{change.core}, levels_[at_]);
      } else {
        unit.candidates.erase(CoreId{change.core});
      }
      if (unit.candidates.empty()) with_room_.erase(unit_of_core_[change.core]);
      if (!unit.candidates.empty()) with_room_.insert(unit_of_core_[change.core]);
    }
  }

  /// The choice is the step's core. If it is, the placement has taken note of it.
  bool chooses(const ReplayStep& step) {
    const auto index = unit_for(step);
    if (!index || units_[*index].candidates.empty()) return false;
    Unit& unit = units_[*index];
    if (unit_of_core_[step.core] != *index) return false;
    auto asked = unit.placement->copy();
    const auto position = asked->choose(unit.candidates.best());
    if (!position || unit.candidates.core_at(*position) != CoreId{step.core}) return false;
    unit.placement = std::move(asked);
    return true;
  }

  /// The placement takes note of where the work-group went, though it would have chosen otherwise.
  void note_actual(const ReplayStep& step) {
    Unit& unit = units_[unit_of_core_[step.core]];
    const std::size_t position = unit.candidates.position_of(CoreId{step.core});
    unit.only.insert(position);
    unit.placement->choose(unit.only);
    unit.only.erase(position);
  }

  /// Whose turn it is.
  std::optional<std::size_t> unit_for(const ReplayStep& step) const {
    const std::size_t count = units_.size();
    switch (choice_.turn) {
      case GroupTurn::none: return 0;
      case GroupTurn::contiguous: return part_of(step, count);
      case GroupTurn::cyclic: return static_cast<std::size_t>(step.number % count);
      case GroupTurn::until_full: {
        const bool goes_on = has_placed_ && last_start_ == step.start;
        return next_with_room(goes_on ? last_ : last_ + (has_placed_ ? 1U : 0U), std::nullopt);
      }
      case GroupTurn::one_each: return next_with_room(last_ + (has_placed_ ? 1U : 0U), step.start);
    }
    return std::nullopt;
  }

  /// Group g has the numbers from floor(g N / G) to floor((g + 1) N / G) - 1.
  static std::size_t part_of(const ReplayStep& step, std::size_t count) {
    auto part = static_cast<std::size_t>(UInt128{step.number} * count / step.grid);
    while (part + 1 < count && UInt128{part + 1} * step.grid / count <= step.number) ++part;
    return part;
  }

  /// The first at or cyclically behind `from` with a candidate, and that has placed nothing at `busy_at`.
  std::optional<std::size_t> next_with_room(std::size_t from, std::optional<std::int64_t> busy_at) const {
    if (with_room_.empty()) return std::nullopt;
    std::size_t at = from % units_.size();
    for (std::size_t i = 0; i < units_.size(); ++i) {
      auto found = with_room_.next(at);
      if (!found) found = with_room_.next(0);
      if (!busy_at || !is_timed() || units_[*found].placed_at != busy_at) return found;
      at = (*found + 1) % units_.size();
    }
    return std::nullopt;
  }

  /// Without times, all decisions of a session are at 0, and none is busy.
  bool is_timed() const { return replay_.steps.back().start != replay_.steps.front().start; }

  const Replay& replay_;
  const CoreChoice& choice_;
  const std::vector<std::uint32_t>& levels_;
  std::vector<std::uint32_t> unit_of_core_;
  std::vector<Unit> units_;
  IndexSet with_room_;  ///< units with a candidate
  std::size_t at_ = 0;  ///< in the changes
  std::size_t last_ = 0;
  std::int64_t last_start_ = 0;
  bool has_placed_ = false;
};

}  // namespace

void decide(const Replay& replay, const CoreChoice& choice, const CoreGrouping& grouping, const DeviceSpec& device,
            const PolicyCatalog& policies, DecisionBits& right) {
  if (replay.steps.empty()) return;
  Decider(replay, choice, grouping, device, policies).run(right);
}

}  // namespace gdsim
