#include <gdsim/run/ensemble/common_record.hpp>

#include <algorithm>

namespace gdsim {
Outcome common_outcome(const std::vector<RunResult>& devices) {
  const auto failed = std::find_if(devices.begin(), devices.end(),
                                   [](const RunResult& one) { return one.record.outcome != Outcome::completed; });
  return failed == devices.end() ? Outcome::completed : failed->record.outcome;
}

RunRecord common_record(const std::vector<RunResult>& devices, const LaunchOwners& owners,
                        std::uint64_t peak_resident) {
  const RunRecord& first = devices.front().record;
  RunRecord all;
  all.outcome = common_outcome(devices);
  for (const RunResult& one : devices) all.end = std::max(all.end, one.record.end);
  all.begin = all.first_dispatch = all.end;
  all.contexts_per_core = first.contexts_per_core;
  for (const RunResult& one : devices) {
    const RunRecord& own = one.record;
    all.contexts_total += own.contexts_total;
    all.threads_total += own.threads_total;
    all.work_groups_total += own.work_groups_total;
    all.resident_time += own.resident_time;
    all.core_time += own.core_time;
    if (own.contexts_per_core != first.contexts_per_core) all.contexts_per_core = 0;
  }
  all.peak_resident = peak_resident;
  for (std::size_t i = 0; i < owners.count(); ++i)
    all.launches.push_back(devices[owners.owner_of(static_cast<LaunchId>(i))].record.launches[i]);
  // A device without a begun launch has no beginning.
  for (const LaunchRecord& launch : all.launches) {
    all.first_dispatch = std::min(all.first_dispatch, launch.first_dispatched.value_or(all.end));
    all.begin = std::min({all.begin, all.first_dispatch, launch.begun.value_or(all.end)});
  }
  all.critical_path = first.critical_path;
  return all;
}

}  // namespace gdsim
