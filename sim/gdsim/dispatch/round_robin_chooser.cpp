#include <gdsim/dispatch/round_robin_chooser.hpp>

#include <algorithm>
#include <tuple>

namespace gdsim {

RoundRobinChooser::RoundRobinChooser(const Workload& workload, const CoreSelections& cores, CoreSharing sharing)
    : sharing_(sharing),
      depths_(child_depths(workload)),
      group_of_(asking_alike(workload, cores)),
      kinds_(static_cast<std::uint32_t>(group_of_.size())),
      ready_(group_of_.size()) {}

void RoundRobinChooser::arrive(LaunchId launch, Picoseconds ready) {
  ready_[index_of(launch)] = ready;
  Group& group = groups_[group_of_[index_of(launch)]];
  (depths_[index_of(launch)] > 0 ? group.begun : group.fresh).insert(place_of(launch));
}

std::optional<LaunchId> RoundRobinChooser::next(MayBegin may_begin) {
  std::optional<std::tuple<bool, Place>> best;  // whether the round begins anew before it, and its place
  const auto consider = [&](const std::set<Place>& places) {
    if (places.empty()) return;
    auto at = last_ ? places.upper_bound(*last_) : places.begin();
    const bool is_new_round = at == places.end();
    if (is_new_round) at = places.begin();
    const std::tuple found(is_new_round, *at);
    if (!best || found < *best) best = found;
  };
  for (const auto& [number, group] : groups_) {
    if (group.blocked_in == turn_) continue;
    consider(group.begun);
    if (may_begin == MayBegin::yes) consider(group.fresh);
  }
  if (!best) return std::nullopt;
  return std::get<Place>(*best).second;
}

void RoundRobinChooser::remove(LaunchId launch) {
  const auto at = groups_.find(group_of_[index_of(launch)]);
  if (at->second.begun.erase(place_of(launch)) == 0) at->second.fresh.erase(place_of(launch));
  if (at->second.fresh.empty() && at->second.begun.empty()) groups_.erase(at);
}

void RoundRobinChooser::placed(LaunchId launch) {
  last_ = place_of(launch);
  std::uint32_t& group = group_of_[index_of(launch)];
  if (const auto at = groups_.find(group); at->second.begun.contains(*last_)) return;
  remove(launch);
  if (sharing_ == CoreSharing::exclusive) group = kinds_ + static_cast<std::uint32_t>(index_of(launch));
  groups_[group].begun.insert(*last_);
}

bool RoundRobinChooser::exhausted(LaunchId launch, bool) {
  remove(launch);
  return true;
}

}  // namespace gdsim
