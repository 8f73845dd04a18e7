#include <gdsim/record/group_watch.hpp>

#include <algorithm>
#include <tuple>

namespace gdsim {

void GroupWatch::on_instant(const Instant& now) {
  touched_.clear();
  changes_.clear();
  for (const Fact& fact : now.facts) {
    const Key key{fact.launch, fact.work_group};
    Live& live = live_[key];
    if (!live.is_touched) touched_.push_back(key);
    live.is_touched = true;
    apply(fact, live);
  }
  for (const Key& key : touched_) {
    const auto found = live_.find(key);
    tell(key, found->second);
    if (found->second.seats.empty()) live_.erase(found);
  }
  if (changes_.empty()) return;
  // Within an instant, facts come as events did, which nobody is to see: who leaves goes first, then by number.
  std::sort(changes_.begin(), changes_.end(), [](const GroupChange& a, const GroupChange& b) {
    return std::tuple(b.kind, a.launch, a.work_group, a.core) < std::tuple(a.kind, b.launch, b.work_group, b.core);
  });
  changed(now.time, changes_);
}

GroupWatch::Seat& GroupWatch::seat_on(Live& live, CoreId core) {
  const auto found =
      std::find_if(live.seats.begin(), live.seats.end(), [core](const Seat& seat) { return seat.core == core; });
  if (found != live.seats.end()) return *found;
  live.seats.push_back({core, {}, {}, false, false});
  return live.seats.back();
}

void GroupWatch::apply(const Fact& fact, Live& live) {
  Seat& seat = seat_on(live, fact.core);
  GroupState& state = seat.state;
  switch (fact.kind) {
    case FactKind::placed: state.threads += fact.threads; break;
    case FactKind::waiting: state.waiting += fact.threads; break;
    case FactKind::resumed: state.waiting -= fact.threads; break;
    case FactKind::ended: state.ended += fact.threads; break;
    case FactKind::given_back:
      state.threads -= fact.threads;
      state.ended -= fact.threads;
      break;
  }
  if (fact.closes_core) seat.has_left = true;
  if (fact.fills_group) live.placement = GroupPlacement::full;
}

void GroupWatch::tell(const Key& key, Live& live) {
  live.is_touched = false;
  for (Seat& seat : live.seats) {
    seat.state.placement = live.placement;
    const auto kind = !seat.is_told   ? GroupChange::Kind::comes
                      : seat.has_left ? GroupChange::Kind::leaves
                                      : GroupChange::Kind::changes;
    if (kind != GroupChange::Kind::changes || !(seat.state == seat.told))
      changes_.push_back({kind, key.first, key.second, seat.core, seat.state});
    seat.told = seat.state;
    seat.is_told = true;
  }
  live.seats.erase(std::remove_if(live.seats.begin(), live.seats.end(), [](const Seat& seat) { return seat.has_left; }),
                   live.seats.end());
}

}  // namespace gdsim
