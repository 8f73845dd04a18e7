#include <gdsim/model/steps/tile_lists.hpp>

#include <algorithm>
#include <limits>
#include <tuple>

namespace gdsim {
namespace {

constexpr std::uint64_t kAllLaunches = std::numeric_limits<std::uint64_t>::max();

}  // namespace

TileLists::TileLists(const Workload& workload) : workload_(workload) {
  using Place = std::pair<KernelId, std::uint32_t>;
  std::map<std::string, std::vector<Place>> by_name;
  std::vector<bool> is_launched(workload.kernels.size(), false);
  for (const Launch& launch : workload.launches)
    if (!launch.is_copy()) is_launched[index_of(launch.as_kernel().kernel)] = true;
  for (std::size_t k = 0; k < workload.kernels.size(); ++k) {
    if (!is_launched[k]) continue;
    std::uint32_t step = 0;
    for (const Step& one : workload.kernels[k].program)
      if (const auto* tiles = std::get_if<Tiles>(&one))
        by_name[tiles->list].push_back({static_cast<KernelId>(k), step++});
  }
  std::uint32_t list = 0;
  for (const auto& [name, places] : by_name) {
    if (places.size() < 2) continue;
    for (const Place& place : places) shared_.emplace(place, list);
    ++list;
  }
}

bool TileLists::request(const Request& request, bool is_shared, CohortIndex& next) {
  if (is_shared && !requests_.empty() && requests_.back().group == request.group &&
      requests_.back().step == request.step) {
    next = std::exchange(requests_.back().waiting, request.waiting);
    return false;
  }
  next = kNoCohort;
  requests_.push_back(request);
  return requests_.size() == 1;
}

std::vector<TileLists::Request> TileLists::take_requests() {
  std::vector<Request> requests = std::exchange(requests_, {});
  std::sort(requests.begin(), requests.end(), [](const Request& a, const Request& b) {
    return std::tie(a.launch, a.work_group, a.thread) < std::tie(b.launch, b.work_group, b.thread);
  });
  return requests;
}

std::optional<std::uint64_t> TileLists::take(LaunchId launch, std::uint32_t step, std::uint64_t count) {
  const KernelId kernel = workload_.launches[index_of(launch)].as_kernel().kernel;
  const auto shared = shared_.find({kernel, step});
  std::uint64_t& taken =
      shared == shared_.end() ? taken_[{index_of(launch), step}] : taken_[{kAllLaunches, shared->second}];
  return taken < count ? std::optional(taken++) : std::nullopt;
}

}  // namespace gdsim
