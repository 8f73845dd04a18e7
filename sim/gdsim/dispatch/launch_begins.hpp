#pragma once

#include <gdsim/base/ids.hpp>
#include <gdsim/base/state_visitor.hpp>
#include <gdsim/record/launch_record.hpp>
#include <gdsim/workload/workload.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace gdsim {

/// When each launch began, and from when on its work-groups can be placed: `cost` later (`launch_cost` of the device).
class LaunchBegins {
 public:
  /// Records by launch, in which it notes when they began. All references must outlive this.
  LaunchBegins(const Workload& workload, std::vector<LaunchRecord>& records, Duration cost)
      : workload_(workload), records_(records), cost_(cost) {}

  /// Launches begin as soon as they are named, whether or not a work-group fits, because the begin takes time.
  bool takes_time() const { return cost_.count > 0; }
  bool has_begun(LaunchId launch) const { return records_[index_of(launch)].begun.has_value(); }
  void begin(LaunchId launch, SimTime now) {
    records_[index_of(launch)].begun = now;
    if (counts(launch)) ++count_;
    if (takes_time()) preparing_.push_back(launch);
  }
  /// Calls `visit(launch)` for those that have paid since the last time.
  template <class Visit>
  void take_prepared(SimTime now, Visit visit) {
    std::erase_if(preparing_, [&](LaunchId launch) {
      const bool is_prepared = placeable_from(launch) <= now;
      if (is_prepared) visit(launch);
      return is_prepared;
    });
  }
  /// Launches that have begun and not yet paid, as of take_prepared(), in the order in which they began.
  std::span<const LaunchId> preparing() const { return preparing_; }
  void ended(LaunchId launch) {
    if (counts(launch)) --count_;
  }
  /// When the work-groups of a launch that has begun can be placed.
  SimTime placeable_from(LaunchId launch) const { return *records_[index_of(launch)].begun + cost_; }
  /// Launches that have begun and not ended, without children: these count with their parents, which may wait for them.
  std::uint64_t count() const { return count_; }

  void visit_state(StateVisitor& visitor, std::span<const LaunchId> present, SimTime now) {
    visitor.plain(count_);
    if (!takes_time()) return;
    for (const LaunchId launch : present) visitor.shape(has_begun(launch));
    for (const LaunchId launch : preparing_) {
      visitor.shape(launch);
      visitor.shape((placeable_from(launch) - now).count);  // when it began does not move: nothing recurs meanwhile
    }
    visitor.shape(preparing_.size());
  }

 private:
  bool counts(LaunchId launch) const { return workload_.launches[index_of(launch)].parent() == nullptr; }

  const Workload& workload_;
  std::vector<LaunchRecord>& records_;  ///< visited: that they have begun
  Duration cost_;                       ///< [constant]
  std::vector<LaunchId> preparing_;
  std::uint64_t count_ = 0;
};

}  // namespace gdsim
