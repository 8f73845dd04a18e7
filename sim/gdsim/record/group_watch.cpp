#include <gdsim/record/group_watch.hpp>

#include <algorithm>
#include <tuple>

namespace gdsim {

void GroupWatch::on_instant(const Instant& now) {
  touched_.clear();
  changes_.clear();
  for (const Fact& fact : now.facts) {
    const Key key{fact.launch, fact.work_group};
    Watched& watched = watched_[key];
    if (!watched.is_touched) touched_.push_back(key);
    watched.is_touched = true;
    apply(fact, watched);
  }
  for (const Key& key : touched_) {
    const auto found = watched_.find(key);
    report_changes(key, found->second);
    if (found->second.parts.empty()) watched_.erase(found);
  }
  if (changes_.empty()) return;
  // Facts of one instant have the order of events, which reports must not depend on: departures first, then by number.
  std::sort(changes_.begin(), changes_.end(), [](const GroupChange& a, const GroupChange& b) {
    return std::tuple(b.kind, a.launch, a.work_group, a.core) < std::tuple(a.kind, b.launch, b.work_group, b.core);
  });
  on_changed(now.time, changes_);
}

GroupWatch::PartOnCore& GroupWatch::part_on(Watched& watched, CoreId core) {
  const auto found = std::find_if(watched.parts.begin(), watched.parts.end(),
                                  [core](const PartOnCore& part) { return part.core == core; });
  if (found != watched.parts.end()) return *found;
  watched.parts.push_back({core, {}, {}, false, false});
  return watched.parts.back();
}

void GroupWatch::apply(const Fact& fact, Watched& watched) {
  PartOnCore& part = part_on(watched, fact.core);
  GroupState& state = part.state;
  switch (fact.kind) {
    case FactKind::placed: state.threads += fact.threads; break;
    case FactKind::waiting: state.waiting += fact.threads; break;
    case FactKind::resumed: state.waiting -= fact.threads; break;
    case FactKind::ended: state.ended += fact.threads; break;
    case FactKind::released:
      state.threads -= fact.threads;
      state.ended -= fact.threads;
      break;
    case FactKind::saved: watched.placement = GroupPlacement::saved; break;
    case FactKind::restored: watched.placement = GroupPlacement::full; break;
  }
  if (fact.closes_core) part.has_left = true;
  if (fact.fills_group) watched.placement = GroupPlacement::full;
}

void GroupWatch::report_changes(const Key& key, Watched& watched) {
  watched.is_touched = false;
  for (PartOnCore& part : watched.parts) {
    part.state.placement = watched.placement;
    const auto kind = !part.is_reported ? GroupChange::Kind::comes
                      : part.has_left   ? GroupChange::Kind::leaves
                                        : GroupChange::Kind::changes;
    if (kind != GroupChange::Kind::changes || !(part.state == part.reported))
      changes_.push_back({kind, key.first, key.second, part.core, part.state});
    part.reported = part.state;
    part.is_reported = true;
  }
  watched.parts.erase(
      std::remove_if(watched.parts.begin(), watched.parts.end(), [](const PartOnCore& part) { return part.has_left; }),
      watched.parts.end());
}

}  // namespace gdsim
