#include <gdsim/analysis/findings/finding_empty.hpp>

#include <gdsim/base/quantity.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace gdsim {
namespace {

/// The time in which a launch of a kernel was resident.
Duration resident_time(const RunReport& report) {
  std::vector<std::pair<SimTime, SimTime>> spans;
  for (std::size_t i = 0; i < report.workload.launches.size(); ++i) {
    const LaunchRecord& life = report.record.launches[i];
    if (!report.workload.launches[i].is_copy() && life.first_dispatched && life.ended)
      spans.emplace_back(*life.first_dispatched, *life.ended);
  }
  std::sort(spans.begin(), spans.end());
  Duration time{0};
  SimTime until{0};
  for (const auto& [begin, end] : spans) {
    if (end <= until) continue;
    time = time + (end - std::max(begin, until));
    until = end;
  }
  return time;
}

}  // namespace

std::string empty_finding(const RunReport& report) {
  const auto kernels = std::count_if(report.workload.launches.begin(), report.workload.launches.end(),
                                     [](const Launch& launch) { return !launch.is_copy(); });
  const Duration run = report.record.duration();
  const Duration empty = run - resident_time(report);
  if (kernels < 2 || run.count == 0 || empty < run - empty) return {};
  return fmt::format("Empty: no {} is resident for {} % of the run, before and between its {} launches.",
                     report.device.terms.thread,
                     to_fixed({static_cast<UInt128>(empty.count) * 100, static_cast<UInt128>(run.count)}, 1), kernels);
}

}  // namespace gdsim
