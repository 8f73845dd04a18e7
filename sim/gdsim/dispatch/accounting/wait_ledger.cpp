#include <gdsim/dispatch/accounting/wait_ledger.hpp>

#include <algorithm>
#include <utility>

namespace gdsim {
void WaitLedger::book(SimTime now) {
  for (Entry& entry : open_) {
    (*records_)[index_of(entry.launch)].waited.add(entry.reason, now - entry.since);
    if (log_ && is_dispatch(entry.reason)) log_->add_launch(entry.since, now);
    entry.since = now;
  }
}

std::vector<LaunchId> WaitLedger::waiting() const {
  std::vector<std::pair<std::optional<ScanCursor>, LaunchId>> named;
  for (const Entry& entry : open_) named.emplace_back(entry.stop, entry.launch);
  for (const ScanCursor& stop : shared_->waiting()) named.emplace_back(stop, stop.position.second);
  if (shared_->is_on())
    std::stable_sort(named.begin(), named.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<LaunchId> launches;
  for (const auto& [stop, launch] : named) launches.push_back(launch);
  return launches;
}

void WaitLedger::visit_state(StateVisitor& visitor, std::span<const LaunchId> present, SimTime now) {
  auto& [records, shared, open, log, is_open] = *this;
  visitor.constant(log);
  visitor.derived(is_open);
  book(now);
  shared->book(now);
  shared->visit_state(visitor);
  visitor.shape(open.size());
  for (auto& [launch, reason, since, stop] : open) {
    visitor.derived(stop);
    visitor.plain(launch);
    visitor.plain(reason);
    visitor.instant(since);
  }
  if (!visitor.wants_totals()) return;
  shared->write_records();
  for (const LaunchId launch : present)
    for (const WaitReason reason : kWaitReasons) {
      WaitTimes& waited = (*records)[index_of(launch)].waited;
      const Int128 before = waited[reason].count;
      Int128 sum = before;
      visitor.total(sum);
      waited.add(reason, Duration{static_cast<std::int64_t>(sum - before)});  // no longer than the run
    }
}

}  // namespace gdsim
