#include <gdsim/report/time_account.hpp>

namespace gdsim {

TimeAccount time_account(const RunView& view) {
  TimeAccount account;
  for (std::size_t i = 0; i < view.timeline.size(); ++i) {
    const auto& [from, counts] = view.timeline[i];
    const Picoseconds to = i + 1 < view.timeline.size() ? view.timeline[i + 1].time : view.end;
    const auto time = static_cast<UInt128>((to - from).count);
    const std::uint64_t busy_contexts = counts.cores_busy * view.contexts_per_core();
    account.running += time * counts.resident.running;
    account.stalled += time * counts.resident.stalled();
    account.beside += time * (busy_contexts - counts.resident.threads);
    account.empty += time * (view.contexts_total - busy_contexts);
  }
  return account;
}

}  // namespace gdsim
