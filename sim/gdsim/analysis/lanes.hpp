#pragma once

#include <gdsim/base/decimal.hpp>
#include <gdsim/record/run_record.hpp>
#include <gdsim/workload/workload.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace gdsim {

/// The lanes of the threads of one full work-group, and the number of lanes that hold a work-item: 33 of 64 if two
/// warps of 32 have 33 work-items.
struct GroupLanes {
  std::uint64_t active = 0;
  std::uint64_t all = 0;

  bool are_full() const { return active == all; }
  Ratio percent() const { return {UInt128{active} * 100, all}; }
};

/// Thread-safe, as all functions below. The kernel must have work-groups and a `sub_group` above 0.
GroupLanes lanes_of_group(const Kernel& kernel);

/// Returns work-items over lanes of resident threads in a run, in percent. Each launch counts with its work-items over
/// the lanes of all its threads, smaller work-groups at edges included, weighted by the time for which its threads were
/// resident, times their lanes. Returns nullopt if no thread was resident.
std::optional<Ratio> active_lanes_percent(const Workload& workload, const RunRecord& record);

/// Assigns lanes to intervals so that the intervals of a lane never overlap: always the lowest free lane.
class Lanes {
 public:
  std::size_t take() {
    std::size_t lane = 0;
    while (lane < is_taken_.size() && is_taken_[lane]) ++lane;
    if (lane == is_taken_.size()) is_taken_.push_back(false);
    is_taken_[lane] = true;
    return lane;
  }
  void release(std::size_t lane) { is_taken_[lane] = false; }
  /// Returns the maximum number of lanes that were taken at once.
  std::size_t count() const { return is_taken_.size(); }

 private:
  std::vector<bool> is_taken_;
};

}  // namespace gdsim
