#include <gdsim/run/record_maker.hpp>

#include <gdsim/run/critical_path.hpp>

#include <algorithm>
#include <cstddef>
#include <utility>

namespace gdsim {

Outcome outcome_of(bool is_done, RunEnd reason) {
  if (is_done) return Outcome::completed;
  if (reason == RunEnd::nothing_pending) return Outcome::deadlock;
  return reason == RunEnd::stop_requested ? Outcome::interrupted : Outcome::bounded;
}

RecordMaker::RecordMaker(const CompiledParts& parts, const InternalRunOptions& options)
    : parts_(parts),
      recorder_(parts.device.cores, PhaseRules{options.min_phase, parts.device.contexts_total()},
                options.keep_timeline),
      listeners_(options.observers, &recorder_) {}

RunRecord RecordMaker::record(Outcome outcome, SimTime end) {
  RunRecord record;
  record.outcome = outcome;
  record.first_dispatch = recorder_.start().value_or(end);
  record.end = end;
  record.contexts_total = parts_.device.contexts_total();
  record.contexts_per_core = parts_.device.contexts_per_core();
  for (const Launch& launch : parts_.workload->launches) {
    const Kernel& kernel = parts_.workload->kernel_of(launch);
    record.threads_total += kernel.threads_total();
    record.work_groups_total += kernel.range.group_count();
  }
  record.peak_resident = recorder_.peak_resident();
  record.resident_time = recorder_.resident_time(end);
  record.core_time = recorder_.core_time(end);
  record.phases = recorder_.finish_phases(end);
  return record;
}

void RecordMaker::add_begin_and_path(const LaunchGraph& graph, RunRecord& record) const {
  const auto& launches = parts_.workload->launches;
  record.begin = record.first_dispatch;
  for (std::size_t i = 0; i < launches.size(); ++i)
    if (const OptionalTime begun = record.launches[i].begun; begun && !launches[i].is_remote())
      record.begin = std::min(record.begin, *begun);
  // With launches of other devices, the path is that of all devices.
  const bool is_alone =
      std::none_of(launches.begin(), launches.end(), [](const Launch& launch) { return launch.is_remote(); });
  if (record.outcome == Outcome::completed && is_alone)
    find_critical_path(parts_.device, *parts_.workload, graph, record);
}

RunResult RecordMaker::result(RunRecord record, std::uint64_t events) {
  const SimTime end = record.end;
  return {std::move(record), recorder_.take_timeline(), recorder_.take_resident(end), events};
}

}  // namespace gdsim
