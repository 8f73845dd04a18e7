#include <gdsim/dispatch/round_robin_chooser.hpp>

namespace gdsim {

RoundRobinChooser::RoundRobinChooser(const Workload& workload, const CoreSelections& cores, CoreSharing sharing)
    : sharing_(sharing),
      depths_(child_depths(workload)),
      group_of_(asking_alike(workload, cores)),
      kinds_(static_cast<std::uint32_t>(group_of_.size())),
      ready_(group_of_.size()) {}

void RoundRobinChooser::arrive(LaunchId launch, Picoseconds ready) {
  ready_[index_of(launch)] = ready;
  insert(group_of_[index_of(launch)], depths_[index_of(launch)] > 0 ? Which::open : Which::unbegun, place_of(launch));
  at_ = behind_last();
}

void RoundRobinChooser::begin_turn() {
  ++turn_;
  for (const std::uint32_t number : passed_) {
    const auto group = groups_.find(number);
    if (group == groups_.end()) continue;
    renew_offer(number, Which::unbegun, group->second);
    renew_offer(number, Which::open, group->second);
  }
  passed_.clear();
  at_ = behind_last();
}

std::optional<LaunchId> RoundRobinChooser::next(MayBegin may_begin) {
  for (std::size_t left = offers_.size(); left > 0; --left) {
    if (at_ == offers_.end()) at_ = offers_.begin();
    const Offer& offer = at_->second;
    if (offer.of->blocked_in != turn_ && (may_begin == MayBegin::yes || offer.line == Which::open))
      return at_->first.second;
    pass(offer);
    ++at_;
  }
  return std::nullopt;
}

/// If a line has several places, it offers another one once last_ has passed this.
void RoundRobinChooser::pass(const Offer& offer) {
  Group& group = *offer.of;
  if (group.passed_in == turn_ || group.unbegun.places.size() + group.open.places.size() == 1) return;
  group.passed_in = turn_;
  passed_.push_back(offer.group);
}

void RoundRobinChooser::renew_offer(std::uint32_t number, Which which, Group& group) {
  Line& line = which == Which::open ? group.open : group.unbegun;
  std::optional<Place> first;
  if (!line.places.empty()) {
    const auto next = last_ ? line.places.upper_bound(*last_) : line.places.begin();
    first = next == line.places.end() ? *line.places.begin() : *next;
  }
  if (first == line.offered) return;
  if (line.offered) {
    const auto old = offers_.find(*line.offered);
    if (old == at_) ++at_;
    offers_.erase(old);
  }
  if (first) offers_.emplace(*first, Offer{number, which, &group});
  line.offered = first;
}

void RoundRobinChooser::insert(std::uint32_t group, Which line, const Place& place) {
  Group& found = groups_[group];
  (line == Which::open ? found.open : found.unbegun).places.insert(place);
  renew_offer(group, line, found);
}

void RoundRobinChooser::remove(LaunchId launch) {
  const std::uint32_t number = group_of_[index_of(launch)];
  const auto at = groups_.find(number);
  Group& group = at->second;
  const Which which = group.open.places.erase(place_of(launch)) > 0 ? Which::open : Which::unbegun;
  if (which == Which::unbegun) group.unbegun.places.erase(place_of(launch));
  renew_offer(number, which, group);
  if (group.unbegun.places.empty() && group.open.places.empty()) groups_.erase(at);
}

void RoundRobinChooser::placed(LaunchId launch) {
  last_ = place_of(launch);
  std::uint32_t& number = group_of_[index_of(launch)];
  if (Group& group = groups_.find(number)->second; group.open.places.contains(*last_)) {
    renew_offer(number, Which::open, group);
  } else {
    remove(launch);
    if (sharing_ == CoreSharing::exclusive) number = kinds_ + static_cast<std::uint32_t>(index_of(launch));
    insert(number, Which::open, *last_);
  }
  at_ = behind_last();
}

bool RoundRobinChooser::exhausted(LaunchId launch, bool) {
  remove(launch);
  at_ = offers_.upper_bound(place_of(launch));
  return true;
}

}  // namespace gdsim
