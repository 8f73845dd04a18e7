#include <gdsim/dispatch/shared_waits.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

namespace gdsim {
namespace {

/// So many corrections are kept before all are applied: entering, leaving and correcting cost about as much each.
std::size_t max_corrections(std::size_t members) {
  return 64 + 8 * static_cast<std::size_t>(std::sqrt(static_cast<double>(members)));
}

std::int64_t& of(std::array<std::int64_t, kWaitReasonCount>& times, WaitReason reason) {
  return times[static_cast<std::size_t>(reason)];
}

}  // namespace

SharedWaits::SharedWaits(const Workload& workload, std::vector<std::uint32_t> classes, std::vector<std::uint32_t> kinds,
                         bool is_cyclic, std::vector<LaunchRecord>& records)
    : workload_(workload), records_(records), class_of_(std::move(classes)), is_cyclic_(is_cyclic) {
  if (!is_on()) return;
  kind_of_ = std::move(kinds);
  ready_.resize(class_of_.size());
  asked_.assign(std::size_t{*std::max_element(kind_of_.begin(), kind_of_.end())} + 1, kNone);
  std::uint32_t count = 0;
  for (const std::uint32_t number : class_of_)
    if (number != kNone) count = std::max(count, number + 1);
  classes_.resize(count);
}

/// Where they are not asked cyclically, children come before all others.
SharedWaits::Position SharedWaits::position_of(LaunchId launch) const {
  if (!is_cyclic_ && workload_.launches[index_of(launch)].parent() != nullptr)
    return {SimTime{std::numeric_limits<std::int64_t>::min()}, launch};
  return {ready_[index_of(launch)], launch};
}

void SharedWaits::set_asked(LaunchId launch, std::optional<LaunchId> asked) {
  if (!contains(launch)) return;
  std::uint32_t& before = asked_[kind_of_[index_of(launch)]];
  const std::uint32_t after = asked ? static_cast<std::uint32_t>(index_of(*asked)) : kNone;
  if (before == after) return;
  Class& one = class_of(launch);
  if (before != kNone) {
    const auto member = one.members.find(position_of(LaunchId{before}));
    write_record(one, member);
    one.members.erase(member);
  }
  before = after;
  if (after == kNone) return;
  const auto member = one.members.emplace(position_of(*asked), Times{}).first;
  const Times waited_before = waited(one, member->first);
  for (std::size_t i = 0; i < kWaitReasonCount; ++i) member->second[i] = -waited_before[i];
}

void SharedWaits::begin_turn(SimTime now) {
  if (!is_on()) return;
  for (const std::uint32_t number : blocked_) {
    sum(classes_[number], (now - since_).count);
    classes_[number].pieces.clear();
  }
  blocked_.clear();
  since_ = now;
  at_ = {};
  one_was_named_ = false;
  requested_at_.reset();
}

void SharedWaits::named(LaunchId launch) {
  if (!is_on()) return;
  const Position position = position_of(launch);
  if (is_cyclic_ && one_was_named_ && position <= at_.position) ++at_.lap;
  at_.position = position;
  one_was_named_ = true;
}

void SharedWaits::block(LaunchId launch, WaitReason reason) {
  Class& one = class_of(launch);
  one.at = at_;
  one.pieces.push_back({at_, reason});
  one.all_asked = one.members.size() == 1;
  blocked_.push_back(class_of_[index_of(launch)]);
}

void SharedWaits::change_reason(Class& blocked, WaitReason reason) {
  // Another work-group of the launch that placed one before.
  if (blocked.pieces.size() > 1 && blocked.pieces.back().from == at_) blocked.pieces.pop_back();
  if (blocked.pieces.back().reason != reason) blocked.pieces.push_back({at_, reason});
}

std::optional<LaunchId> SharedWaits::last_to_request() const {
  std::optional<LaunchId> last;
  std::optional<Stop> last_at = requested_at_;
  for (const std::uint32_t number : blocked_) {
    const Class& one = classes_[number];
    const auto first = one.members.lower_bound(one.at.position);
    const bool wraps = first != one.members.begin();
    const Position& position = wraps ? std::prev(first)->first : one.members.rbegin()->first;
    const Stop at{one.at.lap + (wraps ? 1 : 0), position};
    if (last_at && at <= *last_at) continue;
    last_at = at;
    last = position.second;
  }
  return last;
}

std::vector<std::pair<SharedWaits::Stop, LaunchId>> SharedWaits::waiting() const {
  std::vector<std::pair<Stop, LaunchId>> launches;
  for (const std::uint32_t number : blocked_) {
    const Class& one = classes_[number];
    for (const auto& [position, times] : one.members)
      launches.push_back({{one.at.lap + (position < one.at.position ? 1 : 0), position}, position.second});
  }
  return launches;
}

/// What the class has waited since, for so long.
void SharedWaits::sum(Class& one, std::int64_t time) {
  if (time == 0 || one.pieces.empty()) return;
  const WaitReason first = one.pieces.front().reason;
  of(one.times, first) += time;
  for (std::size_t i = 1; i < one.pieces.size(); ++i) {
    if (one.pieces[i].reason == first) continue;
    const Stop end = i + 1 < one.pieces.size() ? one.pieces[i + 1].from : Stop{one.at.lap + 1, one.at.position};
    correct(one, one.pieces[i].from, end, {{}, one.pieces[i].reason, first, time});
  }
  if (one.corrections.size() > max_corrections(one.members.size())) apply_corrections(one);
}

/// Launches between these stops waited for another reason.
void SharedWaits::correct(Class& one, const Stop& from, const Stop& to, const Correction& correction) {
  const auto add = [&](const Position& position, std::int64_t time) {
    one.corrections.push_back({position, correction.reason, correction.instead_of, time});
  };
  add(from.position, correction.time);
  add(to.position, -correction.time);
  if (from.lap == to.lap) return;
  of(one.times, correction.reason) += correction.time;
  of(one.times, correction.instead_of) -= correction.time;
}

SharedWaits::Times SharedWaits::waited(const Class& one, const Position& member) {
  Times times = one.times;
  for (const Correction& correction : one.corrections) {
    if (member < correction.from) continue;
    of(times, correction.reason) += correction.time;
    of(times, correction.instead_of) -= correction.time;
  }
  return times;
}

void SharedWaits::apply_corrections(Class& one) {
  std::sort(one.corrections.begin(), one.corrections.end(),
            [](const Correction& a, const Correction& b) { return a.from < b.from; });
  Times sums{};
  auto next = one.corrections.begin();
  for (auto& [position, times] : one.members) {
    for (; next != one.corrections.end() && next->from <= position; ++next) {
      of(sums, next->reason) += next->time;
      of(sums, next->instead_of) -= next->time;
    }
    for (std::size_t i = 0; i < kWaitReasonCount; ++i) times[i] += sums[i];
  }
  one.corrections.clear();
}

void SharedWaits::write_record(Class& one, std::map<Position, Times>::iterator member) {
  const Times all = waited(one, member->first);
  for (const WaitReason reason : kWaitReasons) {
    const auto i = static_cast<std::size_t>(reason);
    const std::int64_t time = all[i] + member->second[i];
    if (time > 0) records_[index_of(member->first.second)].waited.add(reason, Duration{time});
    member->second[i] = -all[i];
  }
}

void SharedWaits::book(SimTime now) {
  if (!is_on()) return;
  for (const std::uint32_t number : blocked_) sum(classes_[number], (now - since_).count);
  since_ = now;
}

void SharedWaits::write_records() {
  for (Class& one : classes_) {
    apply_corrections(one);
    for (auto member = one.members.begin(); member != one.members.end(); ++member) write_record(one, member);
  }
}

void SharedWaits::visit_state(StateVisitor& visitor) {
  if (!is_on()) return;
  visitor.instant(since_);
  visitor.shape(blocked_.size());
  for (const std::uint32_t number : blocked_) {
    Class& one = classes_[number];
    visitor.shape(number);
    visitor.shape(one.members.size());
    visitor.shape(one.pieces.size());
    for (Piece& piece : one.pieces) {
      visitor.shape(piece.from.lap);
      visitor.shape(piece.from.position.second);
      visitor.plain(piece.reason);
    }
  }
}

}  // namespace gdsim
