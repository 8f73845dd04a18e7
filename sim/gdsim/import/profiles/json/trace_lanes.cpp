#include <gdsim/import/profiles/json/trace_lanes.hpp>

namespace gdsim {

void TraceLanes::begin(const Name& name, BegunLaunch launch) {
  budget_.keep(sizeof launch + launch.start.size());
  lane(name).launches.push_back(std::move(launch));
}

std::optional<BegunLaunch> TraceLanes::end(const Name& name) {
  const auto found = lanes_.find(name);
  if (found == lanes_.end()) return std::nullopt;
  Lane& lane = found->second;
  if (lane.innermost() > 0) {
    --lane.innermost();
    return std::nullopt;
  }
  if (lane.launches.empty()) return std::nullopt;
  BegunLaunch last = std::move(lane.launches.back());
  lane.launches.pop_back();
  return last;
}

std::size_t TraceLanes::open_launches() const {
  std::size_t count = 0;
  for (const auto& [name, lane] : lanes_) count += lane.launches.size();
  return count;
}

TraceLanes::Lane& TraceLanes::lane(const Name& name) {
  const auto [at, is_new] = lanes_.try_emplace(name);
  if (is_new) budget_.keep(sizeof *at + name.first.size() + name.second.size());
  return at->second;
}

}  // namespace gdsim
