#pragma once

#include <gdsim/device/core_blocks.hpp>
#include <gdsim/dispatch/dispatcher.hpp>
#include <gdsim/dispatch/policy_catalog.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

// Rule, to the picosecond: dispatchers.
//
// `interval: {dispatchers: ...}` says how many there are: one for the device, for each group of a level of
// `core_groups`, or for each core. A level cuts n cores at floor(i x n / count). A dispatcher's candidates are its
// own cores. Its placement sees them as a device of their own, so a cursor of `round_robin`, those of
// `group_round_robin` and a work-group that is spread belong to one dispatcher. Which launch is next, how many have
// begun, and ports are the device's.

namespace gdsim {

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
  Dispatcher& of(CoreId core) { return *dispatchers_[number_by_core_[index_of(core)]]; }
  const Dispatcher& of(CoreId core) const { return *dispatchers_[number_by_core_[index_of(core)]]; }
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
