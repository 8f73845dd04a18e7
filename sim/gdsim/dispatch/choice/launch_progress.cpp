#include <gdsim/dispatch/choice/launch_progress.hpp>

#include <gdsim/base/check.hpp>
#include <gdsim/dispatch/shares/partitioning.hpp>

#include <algorithm>
#include <map>
#include <tuple>
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

LaunchClasses classify_by_request(const Workload& workload, const CoreSelections& cores, const LaunchProgress& progress,
                                  Admission admission) {
  std::vector<std::uint32_t> numbers;
  numbers.reserve(workload.launches.size());
  std::map<std::tuple<std::size_t, Admission, std::uint32_t, std::size_t, std::uint64_t>, std::uint32_t> known;
  auto last = known.end();
  for (std::size_t i = 0; i < workload.launches.size(); ++i) {
    const auto id = static_cast<LaunchId>(i);
    const Launch& launch = workload.launches[i];
    if (!launch.is_kernel()) {
      numbers.push_back(0);  // a copy makes no requests
      continue;
    }
    const std::size_t own_edges = progress.is_uniform(id) ? 0 : index_of(launch.as_kernel().kernel) + 1;
    const std::tuple request(progress.shape(id), admission_for(workload.kernel_of(launch), admission),
                             cores.number_of(id), own_edges, workload.kernel_of(launch).cluster_size());
    if (last == known.end() || last->first != request)
      last = known.emplace(request, static_cast<std::uint32_t>(known.size())).first;
    numbers.push_back(last->second);
  }
  return LaunchClasses(std::move(numbers));
}

LaunchClasses classify_by_kernel_and_cores(const Workload& workload, const CoreSelections& cores) {
  std::vector<std::uint32_t> numbers;
  numbers.reserve(workload.launches.size());
  std::map<std::tuple<KernelId, std::uint32_t, bool>, std::uint32_t> known;
  auto last = known.end();
  for (std::size_t i = 0; i < workload.launches.size(); ++i) {
    const Launch& launch = workload.launches[i];
    const KernelId kernel = !launch.is_kernel() ? KernelId{} : launch.as_kernel().kernel;  // a copy requests no core
    const std::tuple kind(kernel, cores.number_of(static_cast<LaunchId>(i)), launch.parent() != nullptr);
    if (last == known.end() || last->first != kind)
      last = known.emplace(kind, static_cast<std::uint32_t>(known.size())).first;
    numbers.push_back(last->second);
  }
  return LaunchClasses(std::move(numbers));
}

LaunchClasses classify_by_next_work_group(const Workload& workload, const CoreSelections& cores) {
  const LaunchClasses kinds = classify_by_kernel_and_cores(workload, cores);
  std::vector<std::uint32_t> numbers = kinds.numbers();
  std::uint32_t next = kinds.class_count();
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const Launch& launch = workload.launches[i];
    if (launch.is_kernel() && workload.kernel_of(launch).has_smaller_groups()) numbers[i] = next++;
  }
  return LaunchClasses(std::move(numbers));
}

}  // namespace gdsim
