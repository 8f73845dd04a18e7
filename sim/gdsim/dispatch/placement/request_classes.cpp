#include <gdsim/dispatch/placement/request_classes.hpp>

#include <gdsim/dispatch/shares/admission.hpp>

#include <map>
#include <tuple>

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

}  // namespace gdsim
