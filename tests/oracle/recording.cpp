#include "oracle/recording.hpp"

#include "oracle/csv.hpp"
#include "oracle/phases.hpp"
#include "oracle/summary.hpp"

namespace gdsim::oracle {
namespace {

/// Rows of those that changed since the last one; at first of all, if `all_at_first`.
void add_changes(std::vector<PartRow>& rows, std::vector<Residents>& written, const std::vector<Residents>& now,
                 Time time, bool all_at_first) {
  const bool is_first = written.empty();
  written.resize(now.size());
  for (std::size_t part = 0; part < now.size(); ++part)
    if (written[part] != now[part] || (is_first && all_at_first)) rows.push_back({time, part, now[part]});
  written = now;
}

}  // namespace

void Recording::take_down(World& world) {
  if (!world.has_begun) return;
  std::vector<Residents> cores(world.cores.size());
  std::vector<Residents> launches(world.launches.size());
  DeviceRow row{world.now, {}, 0, 0};
  world.for_each_resident([&](Group& group, Thread& thread) {
    for (Residents* part : {&cores[thread.core], &launches[group.launch], &row.residents}) {
      ++part->threads;
      part->running += thread.is_running() ? 1 : 0;
    }
  });
  for (const Group& group : world.groups) {
    if (group.ended) continue;
    row.partial += group.is_partial() ? 1 : 0;
    for (Residents* part : {&launches[group.launch], &row.residents}) ++part->work_groups;
    for (const std::size_t core : group.cores) {
      ++cores[core].work_groups;
      for (Residents* part : {&cores[core], &row.residents}) part->slm += group.need.slm;
    }
  }
  for (const Residents& core : cores) row.busy_cores += core.threads > 0 ? 1 : 0;
  const auto same = [](const DeviceRow& a, const DeviceRow& b) {
    return a.residents == b.residents && a.partial == b.partial && a.busy_cores == b.busy_cores;
  };
  if (device_.empty() || !same(device_.back(), row)) device_.push_back(row);
  add_changes(cores_, core_now_, cores, world.now, true);
  add_changes(launches_, launch_now_, launches, world.now, false);
  group_states_.take_down(world);
}

Tables Recording::tables(World& world) {
  Tables tables;
  tables.timeline = timeline_csv(world, device_);
  tables.cores = cores_csv(world, cores_);
  tables.phases = phases_csv(world, phases_of(device_, world.end, world.device.contexts_total()));
  tables.work_groups = work_groups_csv(world);
  tables.launches = launches_csv(world, launches_);
  tables.kernels = kernels_csv(world, launches_);
  tables.group_states = group_states_.csv();
  tables.summary = summary_json(world, device_);
  tables.time_spent = time_spent_.csv(world);
  return tables;
}

}  // namespace gdsim::oracle
