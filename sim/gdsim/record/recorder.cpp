#include <gdsim/record/recorder.hpp>

#include <algorithm>

namespace gdsim {

Recorder::Recorder(std::uint32_t cores, const PhaseRules& rules, KeepTimeline keep)
    : counter_(cores), detector_(rules), keep_(keep) {}

void Recorder::record(SimTime time, std::span<const Fact> facts) {
  for (const Fact& fact : facts) counter_.apply(fact);
  const DeviceCounts& counts = counter_.counts();
  const bool is_first = !start_;
  if (is_first) start_ = time;
  if (is_first || counts.resident.threads != resident_threads_.level()) set_resident(time, counts.resident.threads);
  if (counts.cores_busy != cores_busy_.level()) cores_busy_.set_level(counts.cores_busy, time);
  detector_.state(time, counts);
  if (keep_ == KeepTimeline::yes && (is_first || counts != timeline_.back().counts))
    timeline_.push_back({time, counts});
}

void Recorder::set_resident(SimTime time, std::uint64_t threads) {
  if (keep_ == KeepTimeline::resident_threads) resident_.push_back({time, threads});
  resident_threads_.set_level(threads, time);
  peak_resident_ = std::max(peak_resident_, threads);
}

ResidentTimeline Recorder::take_resident(SimTime end) {
  if (resident_.empty()) return {};
  return {std::move(resident_), end};
}

Listeners::Listeners(std::span<Observer* const> observers, Recorder* recorder) : recorder_(recorder) {
  for (Observer* observer : observers)
    (observer->detail() == Detail::everything ? everything_ : launches_).push_back(observer);
}

void Listeners::instant(SimTime time, std::span<const Fact> facts, std::span<const LaunchFact> launches) {
  if (recorder_ != nullptr) recorder_->record(time, facts);
  if (!everything_.empty() || !launches_.empty()) tell(time, facts, launches);
}

void Listeners::tell(SimTime time, std::span<const Fact> facts, std::span<const LaunchFact> launches) {
  constexpr std::uint64_t instants_between_reports = 256;
  facts_ += facts.size();
  for (const Fact& fact : facts)
    if (fact.closes_group) ++work_groups_ended_;
  Instant now{time, facts, launches, work_groups_ended_, facts_};
  for (Observer* observer : everything_) observer->on_instant(now);
  if (++instants_ % instants_between_reports != 0 && launches.empty()) return;
  now.facts = {};
  for (Observer* observer : launches_) observer->on_instant(now);
}

}  // namespace gdsim
