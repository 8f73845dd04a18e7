#pragma once

#include <gdsim/base/containers.hpp>
#include <gdsim/base/ids.hpp>
#include <gdsim/device/dispatch_rules.hpp>
#include <gdsim/fit/core.hpp>
#include <gdsim/workload/kernel.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace gdsim {

/// Returns the admission of a kernel under the device's rule: `spread` applies only to kernels not bound to one core.
inline Admission admission_for(const Kernel& kernel, Admission admission) {
  return admission == Admission::spread && binds_to_core(kernel) ? Admission::whole : admission;
}

/// A partially placed work-group. Its remaining threads must go to its core or, if it is spread, to any core.
struct PartialGroup {
  LaunchId launch{};
  WorkGroupId work_group{};
  std::uint32_t group_threads = 0;
  std::uint32_t remaining = 0;
  bool holds_port = false;
  CoreId first_core{};  ///< core of its first threads; undefined for a spread work-group without threads on a core
};

/// The partially placed work-groups of one dispatcher: at most one on each core, and at most one that is spread.
class PartialGroups {
 public:
  /// For `cores` cores, from `first` on.
  PartialGroups(std::size_t first, std::size_t cores) : first_(first), by_core_(cores), spread_cores_(cores) {}

  bool contains(std::size_t core) const { return by_core_[core - first_].has_value(); }
  std::optional<PartialGroup>& on(std::size_t core) { return by_core_[core - first_]; }
  const std::optional<PartialGroup>& on(std::size_t core) const { return by_core_[core - first_]; }
  /// Return the spread work-group with remaining threads, or nullopt if there is none.
  std::optional<PartialGroup>& spread() { return spread_; }
  const std::optional<PartialGroup>& spread() const { return spread_; }
  bool is_spread_on(std::size_t core) const { return spread_cores_.contains(core - first_); }
  void spread_onto(std::size_t core) { spread_cores_.insert(core - first_); }
  /// Removes the spread work-group, which must be placed, and returns the cores that hold threads of it.
  std::vector<CoreId> close_spread() {
    std::vector<CoreId> cores;
    for (auto core = spread_cores_.next(0); core; core = spread_cores_.next(*core + 1)) {
      cores.push_back(static_cast<CoreId>(first_ + *core));
      spread_cores_.erase(*core);
    }
    spread_.reset();
    return cores;
  }

 private:
  std::size_t first_;
  std::vector<std::optional<PartialGroup>> by_core_;
  std::optional<PartialGroup> spread_;
  IndexSet spread_cores_;
};

}  // namespace gdsim
