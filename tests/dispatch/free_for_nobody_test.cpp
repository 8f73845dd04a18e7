#include "support/builders.hpp"
#include "support/random_values.hpp"

#include <rapidcheck/catch.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <string>

// Contexts are free for nobody exactly while no launch waits, whichever was evaluated last.

using namespace gdsim;
using namespace gdsim::testing;

namespace {

DeviceSpec drawn_device() {
  DeviceSpec device = small_device();
  device.cores = between<std::uint32_t>(1, 3);
  device.work_groups_per_core = between<std::uint32_t>(2, 6);
  device.release = *rc::gen::element(Release::thread, Release::work_group);
  device.dispatch.placement = *rc::gen::element<std::string>("fill_first", "most_room");
  device.dispatch.kernel_choice = *rc::gen::element(KernelChoice::head_only, KernelChoice::priority,
                                                    KernelChoice::skip_blocked, KernelChoice::round_robin);
  device.dispatch.admission = Admission::whole;
  if (between(0, 2) == 0)
    device.dispatch.interval = DispatchInterval{{Decimal::whole(1'000 * between<std::uint64_t>(1, 3))}, {}};
  return device;
}

Workload drawn_workload() {
  Workload workload;
  const auto kernels = between<std::uint32_t>(1, 5);
  for (std::uint32_t i = 0; i < kernels; ++i) {
    workload.kernels.push_back(kernel_of(between<std::uint64_t>(1, 5), *rc::gen::element<std::uint64_t>(1, 2, 5, 8),
                                         {compute(ns(between(1, 20)))}));
    workload.kernels.back().name = "k" + std::to_string(i);
  }
  for (int i = between(1, 8); i > 0; --i) {
    Launch launch{"l" + std::to_string(i), KernelId{between<std::uint32_t>(0, kernels - 1)}, {}};
    launch.at = at(ns(between(0, 30)));
    workload.launches.push_back(launch);
  }
  return workload;
}

/// Whether some work-groups of the launch have not begun.
bool waits(const FullRun& run, const Workload& workload, std::size_t launch, SimTime now) {
  if (now < workload.launches[launch].at) return false;
  const auto groups = run.work_groups.records_of(LaunchId{static_cast<std::uint32_t>(launch)});
  return std::any_of(groups.begin(), groups.end(), [now](const auto& group) { return now < group.first_placed; });
}

/// Context-picoseconds in which nobody waits, instant by instant, from the first dispatch on.
Int128 free_for_nobody(const FullRun& run, const DeviceSpec& device, const Workload& workload) {
  std::map<SimTime, std::uint64_t> resident{{run.record.end, 0}};
  for (const TimelinePoint& point : run.timeline) resident[point.time] = point.counts.resident.threads;
  // The waiting launches may change while the threads do not.
  const auto add = [&resident](SimTime instant) {
    const auto after = resident.upper_bound(instant);
    if (after != resident.begin() && after != resident.end()) resident.emplace(instant, std::prev(after)->second);
  };
  for (std::uint32_t i = 0; i < workload.launches.size(); ++i) {
    add(workload.launches[i].at);
    for (const WorkGroupRecord& group : run.work_groups.records_of(LaunchId{i})) add(group.first_placed);
  }
  Int128 sum = 0;
  for (auto from = resident.begin(); std::next(from) != resident.end(); ++from) {
    bool one_waits = false;
    for (std::size_t i = 0; i < workload.launches.size(); ++i) one_waits |= waits(run, workload, i, from->first);
    const auto free = static_cast<std::int64_t>(device.contexts_total() - from->second);
    if (!one_waits) sum += Int128{free} * (std::next(from)->first - from->first).count;
  }
  return sum;
}

}  // namespace

TEST_CASE("contexts are free for nobody exactly while no launch waits") {
  rc::prop("against the timeline", [] {
    const DeviceSpec device = drawn_device();
    const Workload workload = drawn_workload();
    const FullRun run = run_fully(device, workload);
    RC_ASSERT(run.record.outcome == Outcome::completed);
    Int128 found = 0;
    for (const IdleUse& use : run.record.idle)
      if (!use.kernel) found += use.context_time;
    RC_ASSERT(static_cast<std::int64_t>(found) == static_cast<std::int64_t>(free_for_nobody(run, device, workload)));
  });
}
