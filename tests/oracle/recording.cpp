#include "oracle/recording.hpp"

#include "oracle/csv.hpp"
#include "oracle/phases.hpp"
#include "oracle/summary.hpp"

#include <algorithm>

namespace gdsim::oracle {
namespace {

/// Adds rows of the entries that changed since the last row; at first of all, if `all_at_first`.
void add_changes(std::vector<PartRow>& rows, std::vector<Residents>& written, const std::vector<Residents>& now,
                 Time time, bool all_at_first) {
  const bool is_first = written.empty();
  written.resize(now.size());
  for (std::size_t part = 0; part < now.size(); ++part)
    if (written[part] != now[part] || (is_first && all_at_first)) rows.push_back({time, part, now[part]});
  written = now;
}

/// Counts the residents of this world.
void add_residents(World& world, std::vector<Residents>& cores, std::vector<Residents>& launches, DeviceRow& row) {
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
}

}  // namespace

void Recording::time_passes(Time now, const Worlds& worlds) {
  time_spent_.resize(worlds.size());
  for (std::size_t i = 0; i < worlds.size(); ++i) time_spent_[i].take_down(*worlds[i], now);
}

void Recording::take_down(Time now, const Worlds& worlds) {
  if (std::none_of(worlds.begin(), worlds.end(), [](const World* world) { return world->has_begun; })) return;
  std::vector<Residents> cores(worlds.front()->cores.size());
  std::vector<Residents> launches(worlds.front()->launches.size());
  DeviceRow row{now, {}, 0, 0};
  for (World* world : worlds)
    if (world->has_device) add_residents(*world, cores, launches, row);
  for (const Residents& core : cores) row.busy_cores += core.threads > 0 ? 1 : 0;
  const auto same = [](const DeviceRow& a, const DeviceRow& b) {
    return a.residents == b.residents && a.partial == b.partial && a.busy_cores == b.busy_cores;
  };
  if (device_.empty() || !same(device_.back(), row)) device_.push_back(row);
  add_changes(cores_, core_now_, cores, now, true);
  add_changes(launches_, launch_now_, launches, now, false);
  group_states_.take_down(now, worlds);
}

Tables Recording::tables(World& world, const Worlds& worlds) {
  Tables tables;
  tables.timeline = timeline_csv(world, device_);
  tables.cores = cores_csv(world, cores_);
  tables.phases = phases_csv(world, phases_of(device_, world.end, world.device.contexts_total()));
  tables.work_groups = work_groups_csv(world);
  tables.launches = launches_csv(world, launches_);
  tables.kernels = kernels_csv(world, launches_);
  tables.group_states = group_states_.csv();
  tables.summary = summary_json(world, device_);
  TimeSpent::ByPlace spent;
  for (std::size_t i = 0; i < time_spent_.size(); ++i) time_spent_[i].add_to(*worlds[i], spent);
  tables.time_spent = time_spent_csv(spent);
  return tables;
}

}  // namespace gdsim::oracle
