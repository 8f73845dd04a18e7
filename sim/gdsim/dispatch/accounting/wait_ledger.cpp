#include <gdsim/dispatch/accounting/wait_ledger.hpp>

#include <algorithm>
#include <utility>

namespace gdsim {
void WaitLedger::book(SimTime now) {
  for (Entry& entry : open_) {
    records_[index_of(entry.launch)].waited.add(entry.reason, now - entry.since);
    if (log_ && is_dispatch(entry.reason)) log_->add_launch(entry.since, now);
    entry.since = now;
  }
}

std::vector<LaunchId> WaitLedger::waiting() const {
  std::vector<LaunchId> launches;
  for (const Entry& entry : open_) launches.push_back(entry.launch);
  return launches;
}

}  // namespace gdsim
