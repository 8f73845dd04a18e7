#include <gdsim/dispatch/round_robin_chooser.hpp>

#include <algorithm>

namespace gdsim {

RoundRobinChooser::RoundRobinChooser(const Workload& workload, const CoreSelections& cores, CoreSharing sharing,
                                     std::span<const std::uint32_t> shared)
    : sharing_(sharing),
      depths_(child_depths(workload)),
      kind_of_(with_shared(refused_together(workload, cores), shared)),
      group_of_(kind_of_),
      ready_(group_of_.size()) {
  const auto highest = std::max_element(kind_of_.begin(), kind_of_.end());
  if (highest != kind_of_.end()) groups_.resize(std::size_t{*highest} + 1);
}

void RoundRobinChooser::arrive(LaunchId launch, SimTime ready) {
  ready_[index_of(launch)] = ready;
  insert(group_of_[index_of(launch)], depths_[index_of(launch)] > 0 ? Which::open : Which::unbegun,
         position_of(launch));
  at_ = behind_last();
}

void RoundRobinChooser::begin_turn() {
  ++turn_;
  for (const std::uint32_t number : passed_) {
    if (may_have_passed(groups_[number].unbegun)) renew_offer(number, Which::unbegun);
    if (may_have_passed(groups_[number].open)) renew_offer(number, Which::open);
  }
  passed_.clear();
  renewed_behind_ = last_;
  placements_ = 0;
  at_ = behind_last();
}

/// After a single placement, last_ has moved on by less than a lap.
bool RoundRobinChooser::may_have_passed(const Line& line) const {
  if (placements_ > 1 || !renewed_behind_ || !line.offered) return true;
  const bool is_behind_old = *renewed_behind_ < *line.offered;
  const bool is_up_to_new = *line.offered <= *last_;
  return *renewed_behind_ < *last_ ? is_behind_old && is_up_to_new : is_behind_old || is_up_to_new;
}

std::optional<LaunchId> RoundRobinChooser::next(MayBegin may_begin) {
  for (std::size_t left = offers_.size(); left > 0; --left) {
    if (at_ == offers_.end()) at_ = offers_.begin();
    const Offer& offer = at_->second;
    if (groups_[offer.group].blocked_in != turn_ && (may_begin == MayBegin::yes || offer.line == Which::open))
      return at_->first.second;
    pass(offer.group);
    ++at_;
  }
  return std::nullopt;
}

/// If a line has several places, it offers another one once last_ has passed this.
void RoundRobinChooser::pass(std::uint32_t number) {
  Group& group = groups_[number];
  if (group.passed_in == turn_ || (group.unbegun.positions.size() <= 1 && group.open.positions.size() <= 1)) return;
  group.passed_in = turn_;
  passed_.push_back(number);
}

void RoundRobinChooser::renew_offer(std::uint32_t number, Which which) {
  Line& line = which == Which::open ? groups_[number].open : groups_[number].unbegun;
  std::optional<Position> first;
  if (!line.positions.empty()) {
    const auto next = last_ ? line.positions.upper_bound(*last_) : line.positions.begin();
    first = next == line.positions.end() ? *line.positions.begin() : *next;
  }
  if (first == line.offered) return;
  if (line.offered) {
    const auto old = offers_.find(*line.offered);
    if (old == at_) ++at_;
    offers_.erase(old);
  }
  if (first) offers_.emplace(*first, Offer{number, which});
  line.offered = first;
}

void RoundRobinChooser::insert(std::uint32_t group, Which line, const Position& position) {
  (line == Which::open ? groups_[group].open : groups_[group].unbegun).positions.insert(position);
  renew_offer(group, line);
}

void RoundRobinChooser::remove(LaunchId launch) {
  const Which which = group(launch).open.positions.erase(position_of(launch)) > 0 ? Which::open : Which::unbegun;
  if (which == Which::unbegun) group(launch).unbegun.positions.erase(position_of(launch));
  renew_offer(group_of_[index_of(launch)], which);
}

void RoundRobinChooser::give_own_group(LaunchId launch) {
  if (unused_.empty()) {
    unused_.push_back(static_cast<std::uint32_t>(groups_.size()));
    groups_.emplace_back();
  }
  group_of_[index_of(launch)] = unused_.back();
  unused_.pop_back();
}

void RoundRobinChooser::prepared(LaunchId launch) {
  insert(group_of_[index_of(launch)], Which::open, position_of(launch));
  at_ = behind_last();
}

void RoundRobinChooser::placed(LaunchId launch) {
  last_ = position_of(launch);
  ++placements_;
  const std::uint32_t kind = kind_of_[index_of(launch)];
  std::uint32_t& number = group_of_[index_of(launch)];
  const bool stays = sharing_ != CoreSharing::exclusive || number != kind;
  if (stays && group(launch).open.positions.contains(*last_)) {
    renew_offer(number, Which::open);
  } else {
    remove(launch);
    if (!stays) give_own_group(launch);
    insert(number, Which::open, *last_);
  }
  at_ = behind_last();
}

void RoundRobinChooser::left_its_cores(LaunchId launch) {
  std::uint32_t& number = group_of_[index_of(launch)];
  const std::uint32_t kind = kind_of_[index_of(launch)];
  if (number == kind) return;
  const bool waits = group(launch).open.positions.contains(position_of(launch));
  if (waits) remove(launch);
  unused_.push_back(number);
  number = kind;
  if (waits) insert(kind, Which::open, position_of(launch));
  at_ = behind_last();
}

std::optional<LaunchId> RoundRobinChooser::asked_for_kind_of(LaunchId launch) const {
  const Group& group = groups_[group_of_[index_of(launch)]];
  const Position position = position_of(launch);
  const bool waits = group.unbegun.positions.contains(position) || group.open.positions.contains(position);
  return waits ? std::optional(launch) : std::nullopt;
}

/// Offers of groups that were passed in the last turn are those of its beginning.
void RoundRobinChooser::visit_state(StateVisitor& visitor) {
  visitor.shape(last_ ? index_of(last_->second) + 1 : 0);
  visitor.shape(offers_.size());
  for (const auto& [position, offer] : offers_) {
    visitor.shape(position.second);
    visitor.shape(offer.group);
  }
  visitor.shape(passed_.size());
  for (const std::uint32_t group : passed_) visitor.shape(group);
}

/// The next of its group is offered instead, and may lie directly behind it.
void RoundRobinChooser::leave_round(LaunchId launch) {
  remove(launch);
  at_ = offers_.upper_bound(position_of(launch));
}

bool RoundRobinChooser::exhausted(LaunchId launch, bool) {
  leave_round(launch);
  return true;
}

}  // namespace gdsim
