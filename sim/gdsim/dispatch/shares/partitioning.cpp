#include <gdsim/dispatch/shares/partitioning.hpp>

#include <gdsim/base/check.hpp>
#include <gdsim/base/quantity.hpp>
#include <gdsim/device/core_blocks.hpp>

#include <algorithm>
#include <map>

namespace gdsim {
namespace {

/// Returns a normal form: the same result for all selections of the same cores.
CoreSelection in_full(const CoreSelection& selection, std::size_t cores) {
  if (selection.empty()) return {{CoreId{0}, static_cast<CoreId>(cores - 1)}};
  return normalized(selection);
}

IndexSet set_of(const CoreSelection& selection, std::size_t cores) {
  IndexSet set(cores);
  for (const CoreRange& range : selection)
    for (std::size_t core = index_of(range.first); core <= index_of(range.last); ++core) set.insert(core);
  return set;
}

}  // namespace

CoreSelections::CoreSelections(const Workload& workload, std::size_t cores) : core_count_(cores) {
  std::map<CoreSelection, std::uint32_t> known;
  numbers_.reserve(workload.launches.size());
  for (const Launch& launch : workload.launches) {
    const CoreSelection selection = !launch.is_kernel() ? CoreSelection{} : in_full(workload.cores_of(launch), cores);
    const auto [entry, is_new] = known.emplace(selection, static_cast<std::uint32_t>(sets_.size()));
    if (is_new) sets_.push_back(set_of(selection, cores));
    if (is_new && !selection.empty()) ++selection_count_;
    numbers_.push_back(entry->second);
  }
}

Partitioning::Partitioning(const DeviceSpec& device, const DispatchRules& rules, const Workload& workload,
                           const CoreSelections& selections) {
  if (!rules.partition) return;
  const auto groups = groups_of_level(device, rules.partition->across);
  GDSIM_CHECK(groups.has_value(), "a partition across no known level passed the checks of the rules");
  selections_ = &selections;
  share_ = rules.partition->share;
  units_.resize(workload.launches.size());
  for (std::size_t i = 0; i < workload.launches.size(); ++i) {
    const Kernel& kernel = workload.kernel_of(workload.launches[i]);
    if (!workload.launches[i].is_kernel()) continue;
    units_[i].size = kernel.cluster_size();
    units_[i].count = kernel.range.group_count() / units_[i].size;
    const auto launch = static_cast<LaunchId>(i);
    if (selections.number_of(launch) >= dealings_.size())
      dealings_.resize(selections.number_of(launch) + std::size_t{1});
    Dealing& dealing = dealings_[selections.number_of(launch)];
    if (dealing.partitions > 0) continue;
    dealing.partition_of_core.resize(device.cores, 0);
    for (const CoreBlock& group : *groups) {
      const auto core = selections.cores_of(launch).next(group.first);
      if (!core || *core >= group.last) continue;
      std::fill(dealing.partition_of_core.begin() + static_cast<std::ptrdiff_t>(group.first),
                dealing.partition_of_core.begin() + static_cast<std::ptrdiff_t>(group.last),
                static_cast<std::uint32_t>(dealing.partitions));
      ++dealing.partitions;
      std::vector<CoreId> cores;
      for (std::size_t index = group.first; index < group.last; ++index) cores.push_back(static_cast<CoreId>(index));
      dealing.cores_of_partition.add(cores);
    }
  }
}

std::uint64_t Partitioning::first_unit(LaunchId launch, std::size_t partition) const {
  if (share_ == PartitionShare::cyclic) return partition;
  return static_cast<std::uint64_t>(UInt128{partition} * units_[index_of(launch)].count / partition_count(launch));
}

std::uint64_t Partitioning::first(LaunchId launch, std::size_t partition) const {
  return is_on() ? first_unit(launch, partition) * units_[index_of(launch)].size : 0;
}

std::uint64_t Partitioning::next(LaunchId launch, std::uint64_t number) const {
  if (!is_on() || share_ == PartitionShare::contiguous) return number + 1;
  const std::uint64_t size = units_[index_of(launch)].size;
  return number % size + 1 < size ? number + 1 : (number / size + partition_count(launch)) * size;
}

std::uint64_t Partitioning::left(LaunchId launch, std::size_t partition, std::uint64_t number) const {
  const Units& units = units_[index_of(launch)];
  if (share_ == PartitionShare::contiguous) return first_unit(launch, partition + 1) * units.size - number;
  const std::uint64_t unit = number / units.size;
  if (unit >= units.count) return 0;
  return ((units.count - unit - 1) / partition_count(launch) + 1) * units.size - number % units.size;
}

}  // namespace gdsim
