#include "oracle/summary.hpp"

#include "oracle/csv.hpp"
#include "oracle/instants.hpp"

#include <algorithm>

namespace gdsim::oracle {
namespace {

std::string line(const std::string& key, const std::string& value) { return "  \"" + key + "\": " + value + ",\n"; }

struct Totals {
  std::uint64_t threads = 0;
  std::uint64_t groups = 0;
  std::uint64_t begun = 0;
  std::uint64_t ended = 0;
};

Totals totals_of(const World& world) {
  Totals totals;
  for (std::size_t id = 0; id < world.launches.size(); ++id) {
    const LaunchState& launch = world.launches[id];
    totals.groups += launch.groups_total;
    totals.begun += launch.groups_begun;
    totals.ended += launch.groups_ended;
    for (std::uint64_t group = 0; group < launch.groups_total; ++group)
      totals.threads += world.kernel(id).threads_of(WorkGroupId{group});
  }
  return totals;
}

/// Returns the beginning of the first launch, its launch cost included.
Time begin_of(const World& world, Time first_dispatch) {
  Time begin = first_dispatch;
  for (const LaunchState& launch : world.launches)
    if (launch.begun) begin = std::min(begin, *launch.begun);
  return begin;
}

}  // namespace

std::string summary_json(const World& world, const std::vector<DeviceRow>& rows) {
  const std::uint64_t contexts = world.device.contexts_total();
  std::uint64_t peak = 0;
  Int128 integral = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Time until = i + 1 < rows.size() ? rows[i + 1].time : world.end;
    peak = std::max(peak, rows[i].residents.threads);
    integral += Int128{rows[i].residents.threads} * (until - rows[i].time);
  }
  const Time start = world.has_begun ? world.start : world.end;
  const Time active = world.end - start;
  const Time begun = begin_of(world, start);
  const Totals totals = totals_of(world);
  const std::string outcome = is_over(world) ? "completed" : "stalled";
  return "{\n" + line("scenario", "\"\"") + line("device", "\"" + world.device.id + "\"") +
         line("outcome", "\"" + outcome + "\"") + line("start_ns", nanoseconds(begun)) +
         line("end_ns", nanoseconds(world.end)) + line("duration_ns", nanoseconds(world.end - begun)) +
         line("threads_total", std::to_string(totals.threads)) + line("contexts_total", std::to_string(contexts)) +
         line("peak_occupancy_percent", percent(peak, contexts)) +
         line("mean_occupancy_percent",
              active == 0 ? fraction(0, 1) : fraction(integral * 100, Int128{contexts} * active)) +
         line("work_groups_total", std::to_string(totals.groups)) +
         line("work_groups_dispatched", std::to_string(totals.begun)) +
         line("work_groups_ended", std::to_string(totals.ended));
}

std::string comparable_summary(const std::string& summary) {
  const auto phases = summary.find("  \"phases\"");
  const auto dispatched = summary.find("  \"work_groups_dispatched\"");
  const auto setting = summary.find("  \"device_name\"");
  const auto preemption = summary.find("  \"preemption\": [");
  return summary.substr(0, phases) + summary.substr(dispatched, setting - dispatched) +
         (preemption == std::string::npos ? std::string() : summary.substr(preemption));
}

}  // namespace gdsim::oracle
