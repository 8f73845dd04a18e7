#pragma once

#include <gdsim/base/lean_vectors.hpp>
#include <gdsim/record/observer.hpp>

#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

namespace gdsim {

/// The milestones of one work-group, in 32 bytes: a run keeps millions of them.
struct WorkGroupRecord {
  CoreId core{};                           ///< of its first thread
  std::uint32_t threads_first_placed = 0;  ///< 0: no thread was ever placed; the other members are undefined
  SimTime first_placed;
  OptionalTime fully_placed;  ///< nullopt if threads remained unplaced at the end of the run
  OptionalTime ended;         ///< nullopt if the run deadlocked before

  bool was_placed() const { return threads_first_placed > 0; }
};

/// Keeps the record of every work-group that was placed.
class WorkGroupLog : public Observer {
 public:
  explicit WorkGroupLog(std::size_t launches) : by_launch_(launches) {}

  Detail detail() const override { return Detail::everything; }
  void on_instant(const Instant& now) override;

  /// Returns the records of one launch by work-group number, up to the highest that was placed. In a launch in
  /// partitions (PartitionRule), lower numbers may include work-groups that were not placed.
  std::span<const WorkGroupRecord> of(LaunchId launch) const { return by_launch_[index_of(launch)]; }
  /// Returns the further cores of a spread work-group, in the order in which its threads were placed on them.
  std::vector<CoreId> more_cores_of(LaunchId launch, WorkGroupId group) const;

 private:
  std::vector<detail::GrowingBlock<WorkGroupRecord>> by_launch_;
  std::map<std::pair<LaunchId, WorkGroupId>, std::vector<CoreId>> more_cores_;
};

}  // namespace gdsim
