#pragma once

#include <gdsim/dispatch/placement/batch.hpp>
#include <gdsim/dispatch/placement/fit_search.hpp>
#include <gdsim/dispatch/shares/partial_groups.hpp>

#include <memory>
#include <optional>

namespace gdsim {

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

}  // namespace gdsim
