#include "oracle/compare.hpp"

#include "support/string_sink.hpp"

#include <gdsim/record/core_timeline.hpp>
#include <gdsim/record/launch_timeline.hpp>
#include <gdsim/record/work_group_log.hpp>
#include <gdsim/report/csv/csv_tables.hpp>
#include <gdsim/report/csv/launch_tables.hpp>
#include <gdsim/run/simulate.hpp>

#include <array>
#include <sstream>
#include <utility>

namespace gdsim::oracle {
namespace {

std::string text_of(void (*write)(const RunReport&, Sink&), const RunReport& report) {
  testing::StringSink sink;
  write(report, sink);
  return std::move(sink.text);
}

/// The first line that differs, of both.
std::string first_line(const std::string& one, const std::string& other) {
  std::istringstream some(one);
  std::istringstream others(other);
  for (std::string a, b; !some.eof() || !others.eof();) {
    if (!std::getline(some, a)) a = "(nothing)";
    if (!std::getline(others, b)) b = "(nothing)";
    if (a != b) return a + " | " + b;
  }
  return {};
}

}  // namespace

Tables model_run(const DeviceSpec& device, const DispatchRules& rules, const Workload& workload, bool skipping) {
  CoreTimeline cores(device.cores);
  LaunchTimeline launches(workload.launches.size());
  WorkGroupLog work_groups(workload.launches.size());
  RunOptions options;
  options.keep_timeline = KeepTimeline::yes;
  options.observers = {&cores, &launches, &work_groups};
  options.skipping = skipping ? Skipping::yes : Skipping::no;
  const RunResult result = simulate(device, rules, workload, options);
  const std::string title;
  RunReport report{title, device, rules, workload, result.record};
  report.timeline = &result.timeline;
  report.cores = &cores;
  report.launches = &launches;
  report.work_groups = &work_groups;
  return {text_of(write_timeline_csv, report), text_of(write_cores_csv, report),
          text_of(write_phases_csv, report),   text_of(write_work_groups_csv, report),
          text_of(write_launches_csv, report), text_of(write_kernels_csv, report)};
}

std::string first_difference(const Tables& one, const Tables& other) {
  constexpr std::array names{"timeline", "cores", "phases", "work_groups", "launches", "kernels"};
  const std::array ones{&one.timeline, &one.cores, &one.phases, &one.work_groups, &one.launches, &one.kernels};
  const std::array others{&other.timeline,    &other.cores,    &other.phases,
                          &other.work_groups, &other.launches, &other.kernels};
  for (std::size_t i = 0; i < names.size(); ++i)
    if (*ones[i] != *others[i]) return std::string(names[i]) + ": " + first_line(*ones[i], *others[i]);
  return {};
}

std::string disagreement(const testing::RandomRun& run) {
  const Tables plain = model_run(run.device, run.device.dispatch, run.workload, false);  // first: it may refuse
  const Tables naive = naive_run(run.device, run.device.dispatch, run.workload);
  const Tables fast = model_run(run.device, run.device.dispatch, run.workload, true);
  if (const std::string found = first_difference(naive, plain); !found.empty())
    return "the oracle | the model: " + found;
  if (const std::string found = first_difference(plain, fast); !found.empty())
    return "the model | the model fast-forwarding: " + found;
  return {};
}

}  // namespace gdsim::oracle
