#include <gdsim/dispatch/accounting/wait_ledger.hpp>

namespace gdsim {

void WaitLedger::replace(SimTime now) {
  for (const Wait& wait : open_) {
    records_[index_of(wait.launch)].waited.add(wait.reason, now - since_);
    if (log_ != nullptr && is_dispatch(wait.reason)) log_->add_launch(since_, now);
  }
  open_ = noted_;
  since_ = now;
}

std::vector<LaunchId> WaitLedger::waiting() const {
  std::vector<LaunchId> launches;
  for (const Wait& wait : open_) launches.push_back(wait.launch);
  return launches;
}

}  // namespace gdsim
