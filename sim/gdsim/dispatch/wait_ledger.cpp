#include <gdsim/dispatch/wait_ledger.hpp>

namespace gdsim {

void WaitLedger::settle(Picoseconds now) {
  for (const Entry& entry : open_) {
    Picoseconds& sum = waited_[index_of(entry.launch)][static_cast<std::size_t>(entry.reason)];
    sum = sum + (now - entry.since);
  }
  open_.clear();
}

}  // namespace gdsim
