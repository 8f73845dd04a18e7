#include <gdsim/analysis/time_account.hpp>

#include <algorithm>
#include <cstddef>

namespace gdsim {

TimeAccount time_account(const RunView& view) {
  TimeAccount account;
  for (std::size_t i = 0; i < view.timeline.size(); ++i) {
    const auto& [begin, counts] = view.timeline[i];
    const SimTime end = i + 1 < view.timeline.size() ? view.timeline[i + 1].time : view.record.end;
    const auto time = static_cast<UInt128>((end - begin).count);
    // Several devices stand in the place of cores in a view of all: they may differ in size.
    const std::uint64_t busy_contexts = std::clamp(counts.cores_busy * view.record.contexts_per_core,
                                                   counts.resident.threads, view.record.contexts_total);
    account.running += time * counts.resident.running;
    account.stalled += time * counts.resident.stalled();
    account.beside += time * (busy_contexts - counts.resident.threads);
    account.empty += time * (view.record.contexts_total - busy_contexts);
  }
  return account;
}

}  // namespace gdsim
