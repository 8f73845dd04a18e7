#include <gdsim/dispatch/wait_ledger.hpp>

namespace gdsim {

void WaitLedger::book(Picoseconds now) {
  for (Entry& entry : open_) {
    waited_[index_of(entry.launch)][static_cast<std::size_t>(entry.reason)] += (now - entry.since).count;
    entry.since = now;
  }
}

WaitTimes WaitLedger::of(LaunchId launch) const {
  WaitTimes times{};
  for (std::size_t reason = 0; reason < kWaitReasonCount; ++reason)
    times[reason] = Picoseconds{static_cast<std::int64_t>(waited_[index_of(launch)][reason])};
  return times;
}

std::vector<LaunchId> WaitLedger::waiting() const {
  std::vector<LaunchId> launches;
  for (const Entry& entry : open_) launches.push_back(entry.launch);
  return launches;
}

void WaitLedger::visit_state(StateVisitor& visitor, std::span<const LaunchId> present, Picoseconds now) {
  book(now);
  visitor.shape(open_.size());
  for (Entry& entry : open_) {
    visitor.plain(entry.launch);
    visitor.plain(entry.reason);
    visitor.instant(entry.since);
  }
  if (!visitor.wants_totals()) return;
  for (const LaunchId launch : present)
    for (Int128& sum : waited_[index_of(launch)]) visitor.total(sum);
}

}  // namespace gdsim
