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
  for (std::size_t k = 0; k < workload.kernels.size(); ++k) {
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

bool TileLists::ask(const Ask& ask, bool is_shared, CohortIndex& next) {
  if (is_shared && !asks_.empty() && asks_.back().group == ask.group && asks_.back().step == ask.step) {
    next = std::exchange(asks_.back().waiting, ask.waiting);
    return false;
  }
  next = kNoCohort;
  asks_.push_back(ask);
  return asks_.size() == 1;
}

std::vector<TileLists::Ask> TileLists::take_asks() {
  std::vector<Ask> asks = std::exchange(asks_, {});
  std::sort(asks.begin(), asks.end(), [](const Ask& a, const Ask& b) {
    return std::tie(a.launch, a.work_group, a.thread) < std::tie(b.launch, b.work_group, b.thread);
  });
  return asks;
}

std::optional<std::uint64_t> TileLists::take(LaunchId launch, std::uint32_t step, std::uint64_t count) {
  const KernelId kernel = workload_.launches[index_of(launch)].as_kernel().kernel;
  const auto shared = shared_.find({kernel, step});
  std::uint64_t& taken =
      shared == shared_.end() ? taken_[{index_of(launch), step}] : taken_[{kAllLaunches, shared->second}];
  return taken < count ? std::optional(taken++) : std::nullopt;
}

}  // namespace gdsim
