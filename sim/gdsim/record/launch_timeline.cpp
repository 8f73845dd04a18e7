#include <gdsim/record/launch_timeline.hpp>

#include <gdsim/record/device_counter.hpp>

#include <algorithm>

namespace gdsim {
namespace {

LaunchResidency of_launch(const Residency& counts) { return {counts.threads, counts.running, counts.work_groups}; }

}  // namespace

void LaunchTimeline::on_instant(const Instant& now) {
  touched_.clear();
  for (const Fact& fact : now.facts) {
    apply_fact(fact, Scope::device, now_[index_of(fact.launch)]);
    if (touched_.empty() || touched_.back() != fact.launch) touched_.push_back(fact.launch);
  }
  std::sort(touched_.begin(), touched_.end());
  touched_.erase(std::unique(touched_.begin(), touched_.end()), touched_.end());
  for (const LaunchId launch : touched_) {
    const std::size_t i = index_of(launch);
    const LaunchResidency resident = of_launch(now_[i]);
    if (resident == written_[i]) continue;
    points_.push_back({now.time, launch, resident});
    written_[i] = resident;
  }
}

}  // namespace gdsim
