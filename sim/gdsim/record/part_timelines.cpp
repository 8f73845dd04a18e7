#include <gdsim/record/part_timelines.hpp>

#include <algorithm>
#include <tuple>

namespace gdsim {
namespace {

/// Converts counts of one core. The contexts of a core fit into 32 bits.
CoreResidency on_core(const Residency& counts) {
  return {static_cast<std::uint32_t>(counts.threads), static_cast<std::uint32_t>(counts.running),
          static_cast<std::uint32_t>(counts.work_groups), counts.slm};
}

}  // namespace

void CoreTimeline::on_instant(const Instant& now) {
  touched_.clear();
  for (const Fact& fact : now.facts) {
    apply_fact(fact, Scope::core, now_[index_of(fact.core)]);
    touched_.push_back(fact.core);
  }
  if (points_.empty()) {
    for (std::size_t i = 0; i < now_.size(); ++i)
      points_.push_back({now.time, static_cast<CoreId>(i), on_core(now_[i])});
    written_ = now_;
    return;
  }
  std::sort(touched_.begin(), touched_.end());
  touched_.erase(std::unique(touched_.begin(), touched_.end()), touched_.end());
  for (const CoreId core : touched_) {
    const std::size_t i = index_of(core);
    if (now_[i] == written_[i]) continue;
    points_.push_back({now.time, core, on_core(now_[i])});
    written_[i] = now_[i];
  }
}

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
    case ThreadEvent::placed: state.threads += fact.threads; break;
    case ThreadEvent::waiting: state.waiting += fact.threads; break;
    case ThreadEvent::resumed: state.waiting -= fact.threads; break;
    case ThreadEvent::ended: state.ended += fact.threads; break;
    case ThreadEvent::released:
      state.threads -= fact.threads;
      state.ended -= fact.threads;
      break;
    case ThreadEvent::saved: watched.placement = GroupPlacement::saved; break;
    case ThreadEvent::restored: watched.placement = GroupPlacement::full; break;
  }
  if (fact.closes_core) part.has_left = true;
  if (fact.fills_group) watched.placement = GroupPlacement::full;
}

void GroupWatch::report_changes(const Key& key, Watched& watched) {
  watched.is_touched = false;
  for (PartOnCore& part : watched.parts) {
    part.state.placement = watched.placement;
    const auto kind = !part.is_reported ? GroupChange::Event::comes
                      : part.has_left   ? GroupChange::Event::leaves
                                        : GroupChange::Event::changes;
    if (kind != GroupChange::Event::changes || !(part.state == part.reported))
      changes_.push_back({kind, key.first, key.second, part.core, part.state});
    part.reported = part.state;
    part.is_reported = true;
  }
  watched.parts.erase(
      std::remove_if(watched.parts.begin(), watched.parts.end(), [](const PartOnCore& part) { return part.has_left; }),
      watched.parts.end());
}

void GroupTimeline::on_changed(SimTime time, std::span<const GroupChange> changes) {
  if (is_given_up_) return;
  if (points_.size() + changes.size() > max_) {
    is_given_up_ = true;
    points_ = {};
    return;
  }
  for (const GroupChange& change : changes) points_.push_back({time, change});
}

namespace {

LaunchResidency of_launch(const Residency& counts) { return {counts.threads, counts.running, counts.work_groups}; }

}  // namespace

void LaunchTimeline::on_instant(const Instant& now) {
  touched_.clear();
  for (const Fact& fact : now.facts) {
    apply_fact(fact, Scope::device, now_[index_of(fact.launch)]);
    if (touched_.empty() || touched_.back() != fact.launch) touched_.push_back(fact.launch);
  }
  std::sort(touched_.begin(), touched_.end());
  touched_.erase(std::unique(touched_.begin(), touched_.end()), touched_.end());
  for (const LaunchId launch : touched_) {
    const std::size_t i = index_of(launch);
    const LaunchResidency resident = of_launch(now_[i]);
    if (resident == written_[i]) continue;
    points_.push_back({now.time, launch, resident});
    written_[i] = resident;
  }
}

}  // namespace gdsim
