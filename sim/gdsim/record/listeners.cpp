#include <gdsim/record/listeners.hpp>

#include <algorithm>
#include <limits>

namespace gdsim {

Listeners::Listeners(std::span<Observer* const> observers) {
  for (Observer* observer : observers) {
    if (auto* segments = dynamic_cast<SegmentObserver*>(observer)) {
      segments_.push_back(segments);
      if (segments->wants_each_work_group()) of_work_groups_.push_back(segments);
    } else {
      (observer->detail() == Detail::everything ? everything_ : launches_).push_back(observer);
    }
  }
}

void Listeners::instant(SimTime time, std::span<const Fact> facts, std::span<const LaunchFact> launches) {
  constexpr std::uint64_t instants_between_reports = 256;
  Instant now{time, facts, launches, 0, 0};
  for (SegmentObserver* observer : segments_) observer->on_instant(now);
  if (everything_.empty() && launches_.empty()) return;
  facts_ += facts.size();
  for (const Fact& fact : facts) work_groups_ended_ += fact.closes_group ? 1 : 0;
  now.work_groups_ended = work_groups_ended_;
  now.facts_so_far = facts_;
  for (Observer* observer : everything_) observer->on_instant(now);
  if (++instants_ % instants_between_reports == 0 || !launches.empty()) report_progress(time, launches);
}

std::uint64_t Listeners::max_repetitions(const Segment& segment) const {
  if (everything_.empty() && of_work_groups_.empty()) return std::numeric_limits<std::uint64_t>::max();
  constexpr std::uint64_t facts_in_a_moment = std::uint64_t{1} << 20U;
  return std::max<std::uint64_t>(1, facts_in_a_moment / std::max<std::size_t>(1, segment.size()));
}

void Listeners::on_repeated(const Segment& segment, std::uint64_t count) {
  for (SegmentObserver* observer : segments_) observer->on_repeated(segment, count);
  if (segment.instants() == 0 || (everything_.empty() && launches_.empty())) return;
  if (!everything_.empty()) {
    Segment repetition = segment;
    for (std::uint64_t i = 0; i < count; ++i) {
      repetition.move(1);
      for (std::size_t at = 0; at < repetition.instants(); ++at) {
        const Segment::Instant one = repetition.instant(at);
        facts_ += one.facts.size();
        for (const Fact& fact : one.facts) work_groups_ended_ += fact.closes_group ? 1 : 0;
        const Instant now{one.time, one.facts, {}, work_groups_ended_, facts_};
        for (Observer* observer : everything_) observer->on_instant(now);
      }
    }
  } else {
    facts_ += count * segment.size();
    work_groups_ended_ += count * segment.work_groups();
  }
  const SimTime last = segment.instant(segment.instants() - 1).time + times(segment.shift().time, count);
  report_progress(last, {});
}

void Listeners::count_reuses(SimTime time, std::uint64_t work_groups) {
  constexpr std::uint64_t facts_of_each = 3;  // `ended` and `released` of the one, `placed` of the next
  for (SegmentObserver* observer : segments_) observer->on_reuses_counted(work_groups);
  facts_ += facts_of_each * work_groups;
  work_groups_ended_ += work_groups;
  report_progress(time, {});
}

void Listeners::report_reuses(const ReusedSlots& reused) {
  for (SegmentObserver* observer : of_work_groups_) observer->on_reuses(reused);
}

void Listeners::report_progress(SimTime time, std::span<const LaunchFact> launches) {
  const Instant now{time, {}, launches, work_groups_ended_, facts_};
  for (Observer* observer : launches_) observer->on_instant(now);
}

}  // namespace gdsim
