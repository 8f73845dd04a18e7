#pragma once

#include <gdsim/base/ids.hpp>
#include <gdsim/device/dispatch_rules.hpp>
#include <gdsim/dispatch/choice/launch_progress.hpp>
#include <gdsim/dispatch/shares/partitioning.hpp>
#include <gdsim/workload/workload.hpp>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace gdsim {

/// Launches divided into classes: those of one class are equal in some respect, which the function that makes the
/// classes names: classify_by_kernel_and_cores(), classify_by_next_work_group(), classify_by_request().
class LaunchClasses {
 public:
  /// `numbers` are by launch: the number of its class, from 0.
  explicit LaunchClasses(std::vector<std::uint32_t> numbers) : numbers_(std::move(numbers)) {}

  /// The number of launches.
  std::size_t launch_count() const { return numbers_.size(); }
  std::uint32_t operator[](LaunchId launch) const { return numbers_[index_of(launch)]; }
  /// One more than the highest number of a class; 0 if there is no class.
  std::uint32_t class_count() const {
    std::uint32_t count = 0;
    for (const std::uint32_t number : numbers_) count = std::max(count, number + 1);
    return count;
  }
  const std::vector<std::uint32_t>& numbers() const { return numbers_; }

 private:
  std::vector<std::uint32_t> numbers_;
};

/// Launches, of any kernels, whose work-groups all need the same of a core, on the same cores: FitSearch remembers
/// answers by these. If a kernel has smaller work-groups at its edges, only launches of this kernel are in one class.
LaunchClasses classify_by_request(const Workload& workload, const CoreSelections& cores, const LaunchProgress& progress,
                                  Admission admission);

/// Launches of the same kernel on the same cores: their *kind*. Children are of other kinds, because they may always
/// begin. Launches of one kind do not overtake each other.
LaunchClasses classify_by_kernel_and_cores(const Workload& workload, const CoreSelections& cores);

/// Launches of the same kernel, cores and next work-group: if one is refused in a turn, so are the others. A launch
/// whose kernel has smaller work-groups at its edges has a class of its own.
LaunchClasses classify_by_next_work_group(const Workload& workload, const CoreSelections& cores);

}  // namespace gdsim
