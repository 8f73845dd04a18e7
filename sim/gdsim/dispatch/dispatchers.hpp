#pragma once

#include <gdsim/base/ids.hpp>
#include <gdsim/device/core_blocks.hpp>
#include <gdsim/device/dispatch_rules.hpp>
#include <gdsim/dispatch/placement/fit_search.hpp>
#include <gdsim/dispatch/placement/placements.hpp>
#include <gdsim/dispatch/shares/partitioning.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace gdsim {

// Rule, to the picosecond: batch.
//
// After a dispatcher has chosen a core for a work-group, it gives the following ones of the same launch to the same
// core, while they fit there, up to `work_groups` in all. It does so only if the launch has at least `grid_at_least`
// work-groups and at least `left_at_least` were not dispatched before the first of them; both are `per_core` x cores of
// the device + `plus`. A work-group of another launch ends the batch; a spread work-group has none. The placement is
// not called and its cursor stays.

/// The batch of consecutive work-groups of one launch that a dispatcher gives to one core (BatchRule).
class Batch {
 public:
  /// Returns the core of the launch's batch, where its next work-group must still fit, or nullopt if it has no batch.
  std::optional<CoreId> core_for(LaunchId launch) const {
    return left_ > 0 && launch_ == launch ? std::optional(core_) : std::nullopt;
  }
  /// Must be called when the next work-group of the batch is placed on the core.
  void take_one() { --left_; }
  /// Must be called when a work-group of the launch is placed on a core that was chosen for it. It begins a batch if
  /// the rule applies: the launch has `grid` work-groups, `left` of which were undispatched before.
  void begin(const BatchRule& rule, LaunchId launch, CoreId core, std::uint64_t grid, std::uint64_t left,
             std::uint64_t cores) {
    const bool holds = grid >= rule.grid_at_least.count_on(cores) && left >= rule.left_at_least.count_on(cores);
    launch_ = launch;
    core_ = core;
    left_ = holds ? rule.work_groups - 1 : 0;
  }

  /// Ends the batch, if there is one.
  void end() { left_ = 0; }

 private:
  LaunchId launch_{};
  CoreId core_{};
  std::uint32_t left_ = 0;  ///< remaining work-groups of the batch
};

/// The state of one of a device's dispatchers and its cores. Most devices have one dispatcher for all cores.
struct Dispatcher {
  Dispatcher(std::uint32_t among_all, const SearchSetting& setting, const CoreBlock& of_cores,
             std::unique_ptr<Placement> placement)
      : number(among_all),
        cores(of_cores),
        partials(cores.first, cores.count()),
        search(setting, cores, std::move(placement), partials),
        released(cores.count()) {}
  Dispatcher(const Dispatcher&) = delete;  // its parts refer to each other
  Dispatcher& operator=(const Dispatcher&) = delete;

  /// Returns true if the dispatcher was busy at the last turn. A turn follows when it is free.
  bool is_busy() const { return busy_until.has_value(); }
  /// Must be called after a release on a core that has a partially placed work-group.
  void on_release(CoreId core) { released.insert(index_of(core) - cores.first); }

  /// Returns the core for the launch's requested work-group, of the batch or chosen by the placement, or nullopt.
  std::optional<CoreId> choose(const std::optional<BatchRule>& rule, LaunchId launch, const LaunchProgress& progress,
                               std::uint64_t device_cores) {
    if (!rule) return search.choose();
    if (const auto core = batch.core_for(launch); core && search.offers(*core)) {
      batch.take_one();
      return core;
    }
    const auto core = search.choose();
    if (core) begin_batch(*rule, launch, *core, progress, device_cores);
    return core;
  }

  std::uint32_t number;  ///< number among the device's dispatchers
  CoreBlock cores;
  PartialGroups partials;
  FitSearch search;
  Batch batch;
  IndexSet released;  ///< cores with a partial work-group, and a release since threads of it were last placed
  std::optional<SimTime> busy_until;

 private:
  void begin_batch(const BatchRule& rule, LaunchId launch, CoreId core, const LaunchProgress& progress,
                   std::uint64_t device_cores) {
    const std::uint64_t left = progress.undispatched(launch);
    batch.begin(rule, launch, core, progress.dispatched(launch) + left, left, device_cores);
  }
};

// Rule, to the picosecond: dispatchers.
//
// `interval: {dispatchers: ...}` says how many there are: one for the device, for each group of a level of
// `core_groups`, or for each core. A level cuts n cores at floor(i x n / count). A dispatcher's candidates are its
// own cores. Its placement sees them as a device of their own, so a cursor of `round_robin`, those of
// `group_round_robin` and a work-group that is spread belong to one dispatcher. Which launch is next, how many have
// begun, and ports are the device's.

/// Returns the cores of each dispatcher. The rules must have passed their checks.
std::vector<CoreBlock> blocks_by_dispatcher(const DeviceSpec& device, const DispatchRules& rules);
/// Returns the device as a dispatcher's placement sees it: its cores alone.
DeviceSpec device_of_block(const DeviceSpec& device, const CoreBlock& cores);

/// The dispatchers of a device, in ascending order of their cores, and the one that a turn visits first.
class Dispatchers {
 public:
  /// All references must outlive this.
  Dispatchers(const SearchSetting& setting, const PlacementMaker& make_placement);
  Dispatchers(const Dispatchers&) = delete;
  Dispatchers& operator=(const Dispatchers&) = delete;

  std::size_t size() const { return dispatchers_.size(); }
  Dispatcher& first() { return *dispatchers_.front(); }
  const Dispatcher& first() const { return *dispatchers_.front(); }
  Dispatcher& dispatcher_of(CoreId core) { return *dispatchers_[number_by_core_[index_of(core)]]; }
  const Dispatcher& dispatcher_of(CoreId core) const { return *dispatchers_[number_by_core_[index_of(core)]]; }
  /// Returns the number of the dispatcher to which the core belongs.
  std::size_t number_of(CoreId core) const { return number_by_core_[index_of(core)]; }
  const Dispatcher& operator[](std::size_t number) const { return *dispatchers_[number]; }

  /// Ends the busy times that are over at `now`. Returns true if there was one.
  bool free_until(SimTime now);
  bool one_is_busy() const;
  /// Calls `visit(dispatcher)` once for every dispatcher that is not busy, beginning after the last one that has placed
  /// threads. `visit` must return true if it placed threads. Returns true if any dispatcher placed threads.
  template <class Visit>
  bool visit_free(Visit visit) {
    bool placed = false;
    const std::size_t first = next_;
    for (std::size_t i = 0; i < dispatchers_.size(); ++i) {
      const std::size_t index = first + i < dispatchers_.size() ? first + i : first + i - dispatchers_.size();
      if (dispatchers_[index]->is_busy() || !visit(*dispatchers_[index])) continue;
      next_ = index + 1 < dispatchers_.size() ? index + 1 : 0;
      placed = true;
    }
    return placed;
  }

  /// Returns the number of evaluations of a core for a request.
  std::uint64_t evaluations() const;

 private:
  std::vector<std::unique_ptr<Dispatcher>> dispatchers_;  ///< their addresses do not change
  std::vector<std::uint32_t> number_by_core_;
  std::size_t next_ = 0;  ///< the dispatcher after the last one that placed threads
};

}  // namespace gdsim
