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
  /// Returns a number that is equal for launches with equal selections.
  std::uint32_t number_of(LaunchId launch) const { return numbers_[index_of(launch)]; }

 private:
  std::vector<std::uint32_t> numbers_;  ///< by launch
  std::vector<IndexSet> sets_;
};

}  // namespace gdsim
