#include <gdsim/model/steps/tile_lists.hpp>

#include <gdsim/workload/launched_kernels.hpp>

#include <algorithm>
#include <iterator>
#include <limits>
#include <set>
#include <tuple>

namespace gdsim {
namespace {

/// Represents all launches of the kernels that share a list.
constexpr std::uint64_t kAllLaunches = std::numeric_limits<std::uint64_t>::max();

}  // namespace

TileLists::TileLists(const Workload& workload) : workload_(workload) {
  const std::set<std::string> shared = shared_tile_lists(workload);
  for (std::size_t kernel = 0; kernel < workload.kernels.size(); ++kernel) {
    std::uint32_t number = 0;
    for (const Step& step : workload.kernels[kernel].program) {
      const auto* tiles = std::get_if<Tiles>(&step);
      if (tiles == nullptr) continue;
      if (const auto list = shared.find(tiles->list); list != shared.end())
        shared_[{static_cast<KernelId>(kernel), number}] =
            static_cast<std::uint32_t>(std::distance(shared.begin(), list));
      ++number;
    }
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
