#include <gdsim/dispatch/wait_ledger.hpp>

namespace gdsim {
namespace {

bool is_dispatch(WaitReason reason) {
  return reason == WaitReason::launch_cost || reason == WaitReason::dispatch_interval;
}

}  // namespace

void WaitLedger::book(Picoseconds now) {
  for (Entry& entry : open_) {
    Picoseconds& waited = records_[index_of(entry.launch)].waited_for(entry.reason);
    waited = waited + (now - entry.since);
    if (log_ != nullptr && is_dispatch(entry.reason)) log_->add_launch(entry.since, now);
    entry.since = now;
  }
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
    for (Picoseconds& waited : records_[index_of(launch)].waited) {
      Int128 sum = waited.count;
      visitor.total(sum);
      waited.count = static_cast<std::int64_t>(sum);  // no longer than the run
    }
}

}  // namespace gdsim
