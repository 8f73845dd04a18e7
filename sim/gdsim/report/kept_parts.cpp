#include <gdsim/report/kept_parts.hpp>

#include <gdsim/analysis/run_view.hpp>
#include <gdsim/report/csv/samples_csv.hpp>

namespace gdsim {

void KeptParts::watch(const std::set<Keeps>& keeps, const DeviceSpec& device, const Workload& workload,
                      std::optional<Duration> sample, RunOptions& options) {
  if (keeps.contains(Keeps::repetitions)) options.keep_timeline = KeepTimeline::resident_threads;
  if (keeps.contains(Keeps::timeline)) options.keep_timeline = KeepTimeline::yes;
  if (keeps.contains(Keeps::cores) || keeps.contains(Keeps::core_groups))
    options.observers.push_back(&cores_.emplace(device.cores));
  if (keeps.contains(Keeps::work_groups)) options.observers.push_back(&work_groups_.emplace(workload.launches.size()));
  if (keeps.contains(Keeps::launches)) options.observers.push_back(&launches_.emplace(workload.launches.size()));
  if (keeps.contains(Keeps::group_states)) {
    group_states_.emplace(kMaxGroupPointsDrawn);
    if (may_draw_groups(workload)) options.observers.push_back(&*group_states_);
  }
  const std::size_t columns = wait_column_count(device.memory ? device.memory->levels.size() : 0);
  if (keeps.contains(Keeps::waits)) options.wait_series.push_back(&waits_.emplace(columns));
  if (sample) options.wait_series.push_back(&sampled_waits_.emplace(columns, *sample, kMaxSamples));
}

void KeptParts::add_to(RunReport& report) const {
  if (cores_) report.cores = &*cores_;
  if (work_groups_) report.work_groups = &*work_groups_;
  if (launches_) report.launches = &*launches_;
  if (group_states_) report.group_states = &*group_states_;
  if (waits_) report.waits = &*waits_;
  if (sampled_waits_) report.sampled_waits = &*sampled_waits_;
}

}  // namespace gdsim
