#pragma once

#include <gdsim/base/state_visitor.hpp>
#include <gdsim/base/time_integral.hpp>
#include <gdsim/record/launch_record.hpp>
#include <gdsim/workload/workload.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace gdsim {

/// How far each launch has come: its record, its resident threads, and what is left of it.
class LaunchStates {
 public:
  explicit LaunchStates(const Workload& workload);

  std::vector<LaunchRecord>& records() { return records_; }
  const std::vector<LaunchRecord>& records() const { return records_; }
  LaunchRecord& record(LaunchId launch) { return records_[index_of(launch)]; }
  const LaunchRecord& record(LaunchId launch) const { return records_[index_of(launch)]; }

  /// The launch is ready; if it is one of a kernel, it is present until it ends.
  void arrive(LaunchId launch);
  /// So many of its threads took a context of the core, or, if negative, gave one back.
  void change_resident(LaunchId launch, CoreId core, std::int64_t threads, Picoseconds now);
  /// One of its work-groups or children has ended, or its copy: true if that was the last.
  bool end_part(LaunchId launch) { return ++parts_ended_[index_of(launch)] == parts_[index_of(launch)]; }
  /// So many of its work-groups, not the last.
  void end_parts(LaunchId launch, std::uint64_t work_groups) { parts_ended_[index_of(launch)] += work_groups; }
  void end(LaunchId launch, Picoseconds now);
  /// Every launch has ended.
  bool are_done() const { return left_ == 0; }
  std::uint64_t parts_ended(LaunchId launch) const { return parts_ended_[index_of(launch)]; }
  Int128 resident_time(LaunchId launch, Picoseconds now) const { return resident_[index_of(launch)].at(now); }
  /// Over all cores, the time in which each held at least one of its threads, picoseconds.
  Int128 core_time(LaunchId launch, Picoseconds now) const { return busy_cores_[index_of(launch)].at(now); }

  /// Launches of kernels that have arrived and not ended, in no order.
  std::span<const LaunchId> present() const { return present_; }
  /// Counts arrivals, first dispatches and ends: while it stays, the same launches are there.
  std::uint64_t changes() const { return changes_; }
  /// The launch's first thread is placed.
  void begin(LaunchId launch, Picoseconds now) {
    record(launch).first_dispatched = now;
    ++changes_;
  }

  void visit_state(StateVisitor& visitor);

 private:
  const Workload& workload_;
  std::vector<LaunchRecord> records_;                ///< results; visited: that the launch has begun
  std::vector<TimeIntegral> resident_;               ///< by launch: threads
  std::vector<TimeIntegral> busy_cores_;             ///< by launch: cores that hold threads of it
  std::vector<std::vector<std::uint32_t>> on_core_;  ///< [derived] by launch while it is present, core: its threads
  std::vector<std::uint64_t> parts_;                 ///< [constant] by launch: work-groups and children, or its copy
  std::vector<std::uint64_t> parts_ended_;           ///< by launch
  std::vector<LaunchId> present_;
  std::vector<std::size_t> places_in_present_;  ///< [derived] by launch
  std::size_t left_;                            ///< [derived] launches that have not ended
  std::uint64_t changes_ = 0;                   ///< [statistics]
};

}  // namespace gdsim
