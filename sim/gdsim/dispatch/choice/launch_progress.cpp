#include <gdsim/dispatch/choice/launch_progress.hpp>

#include <gdsim/base/check.hpp>

#include <utility>

namespace gdsim {

LaunchProgress::LaunchProgress(const Workload& workload, const FootprintTable& footprints, Partitioning partitioning)
    : workload_(workload),
      footprints_(footprints),
      partitioning_(std::move(partitioning)),
      states_(workload.launches.size()),
      next_in_partition_(partitioning_.is_on() ? workload.launches.size() : 0),
      last_partition_(next_in_partition_.size()) {
  for (const Kernel& kernel : workload.kernels) totals_.push_back(kernel.range.group_count());
  totals_.push_back(0);
  for (std::size_t i = 0; i < states_.size(); ++i) {
    const Launch& launch = workload.launches[i];
    states_[i].kernel =
        !launch.is_kernel() ? static_cast<KernelId>(workload.kernels.size()) : launch.as_kernel().kernel;
  }
}

WorkGroupId LaunchProgress::take_next(LaunchId launch, CoreId core) {
  const std::uint64_t dispatched = state(launch).next++;
  if (!partitioning_.is_on()) return WorkGroupId{dispatched};
  std::vector<std::uint64_t>& next = next_in_partition_[index_of(launch)];
  for (std::size_t partition = next.size(); partition < partition_count(launch); ++partition)
    next.push_back(partitioning_.first(launch, partition));
  const std::size_t partition = partition_of(launch, core);
  last_partition_[index_of(launch)] = static_cast<std::uint32_t>(partition);
  GDSIM_CHECK(partitioning_.left(launch, partition, next[partition]) > 0,
              "a core took a work-group of another group of cores");
  return WorkGroupId{std::exchange(next[partition], partitioning_.next(launch, next[partition]))};
}

std::uint64_t LaunchProgress::next_number(LaunchId launch, std::size_t partition) const {
  if (!partitioning_.is_on()) return state(launch).next;
  const std::vector<std::uint64_t>& next = next_in_partition_[index_of(launch)];
  return next.empty() ? partitioning_.first(launch, partition) : next[partition];
}

std::uint64_t LaunchProgress::left(LaunchId launch, std::size_t partition) const {
  if (!partitioning_.is_on()) return undispatched(launch);
  return partitioning_.left(launch, partition, next_number(launch, partition));
}

std::size_t LaunchProgress::first_partition(LaunchId launch) const {
  for (std::size_t partition = 0; partition < partition_count(launch); ++partition)
    if (left(launch, partition) > 0) return partition;
  return 0;
}

}  // namespace gdsim
