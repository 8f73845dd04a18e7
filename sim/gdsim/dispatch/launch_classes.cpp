#include <gdsim/dispatch/launch_classes.hpp>

#include <gdsim/dispatch/shares/partitioning.hpp>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace gdsim {

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
