#pragma once

#include <gdsim/base/index_set.hpp>
#include <gdsim/workload/workload.hpp>

#include <cstdint>
#include <vector>

namespace gdsim {

/// The cores that each launch may use. Launches with equal selections share one set.
class CoreSelections {
 public:
  CoreSelections(const Workload& workload, std::size_t cores);

  bool allows(LaunchId launch, CoreId core) const { return sets_[number_of(launch)].contains(index_of(core)); }
  /// Returns the allowed cores.
  const IndexSet& of(LaunchId launch) const { return sets_[number_of(launch)]; }
  /// Returns a number that is equal for launches with equal selections; it is below count().
  std::uint32_t number_of(LaunchId launch) const { return numbers_[index_of(launch)]; }
  /// Returns the number of different selections, with that of copies, which use no core.
  std::size_t count() const { return sets_.size(); }
  /// Returns the number of cores of the device.
  std::size_t core_count() const { return core_count_; }
  /// Returns true if all launches may use the same cores.
  bool are_all_equal() const { return selection_count_ <= 1; }

 private:
  std::size_t core_count_;
  std::size_t selection_count_ = 0;     ///< without that of copies
  std::vector<std::uint32_t> numbers_;  ///< by launch
  std::vector<IndexSet> sets_;
};

}  // namespace gdsim
