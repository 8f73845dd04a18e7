#include <gdsim/dispatch/wait_ledger.hpp>

namespace gdsim {

void WaitLedger::settle(Picoseconds now) {
  for (const Entry& entry : open_) {
    Picoseconds& sum = waited_[index_of(entry.launch)][static_cast<std::size_t>(entry.reason)];
    sum = sum + (now - entry.since);
  }
  open_.clear();
}

std::vector<LaunchId> WaitLedger::waiting() const {
  std::vector<LaunchId> launches;
  for (const Entry& entry : open_) launches.push_back(entry.launch);
  return launches;
}

void WaitLedger::tell_state(StateWords& state) const {
  state.add(open_.size());
  for (const Entry& entry : open_) {
    state.add(entry.launch);
    state.add(entry.reason);
  }
}

void WaitLedger::pass(Picoseconds time) {
  for (Entry& entry : open_) entry.since = entry.since + time;
}

void WaitLedger::add(LaunchId launch, const WaitTimes& waited) {
  WaitTimes& sums = waited_[index_of(launch)];
  for (std::size_t reason = 0; reason < kWaitReasonCount; ++reason) sums[reason] = sums[reason] + waited[reason];
}

}  // namespace gdsim
