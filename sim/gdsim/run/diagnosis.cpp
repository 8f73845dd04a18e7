#include <gdsim/run/diagnosis.hpp>

namespace gdsim {

Stall diagnose(const GpuModel& model, const Workload& workload) {
  Stall stall;
  for (const ActiveGroup& group : model.execution().active_groups())
    stall.groups.push_back({group.launch, group.number, group.core, group.waiting_step, group.threads, group.waiting,
                            group.threads - group.placed, group.ended});
  const auto has_ended = [&](LaunchId launch) { return model.launches()[index_of(launch)].ended.has_value(); };
  for (std::size_t i = 0; i < workload.launches.size(); ++i) {
    const auto launch = static_cast<LaunchId>(i);
    if (has_ended(launch)) continue;
    StalledLaunch entry{launch, model.dispatcher().undispatched(launch), {}};
    for (const LaunchId before : workload.launches[i].after)
      if (!has_ended(before)) entry.waits_for.push_back(before);
    stall.launches.push_back(entry);
  }
  return stall;
}

}  // namespace gdsim
