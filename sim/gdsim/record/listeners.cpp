#include <gdsim/record/listeners.hpp>

namespace gdsim {

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
