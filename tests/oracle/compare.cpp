#include "oracle/compare.hpp"

#include "oracle/summary.hpp"
#include "support/builders.hpp"
#include "support/string_sink.hpp"

#include <gdsim/analysis/device_as_run.hpp>
#include <gdsim/record/core_timeline.hpp>
#include <gdsim/record/group_timeline.hpp>
#include <gdsim/record/launch_timeline.hpp>
#include <gdsim/record/work_group_log.hpp>
#include <gdsim/report/csv/csv_tables.hpp>
#include <gdsim/report/csv/group_states_csv.hpp>
#include <gdsim/report/csv/launch_tables.hpp>
#include <gdsim/report/csv/slices_csv.hpp>
#include <gdsim/report/json/summary_json.hpp>
#include <gdsim/run/run_switches.hpp>

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

Tables model_run(const DeviceSpec& device, const DispatchRules& rules, const Workload& workload, ModelRun kind,
                 std::optional<SimTime> copied_at) {
  CoreTimeline cores(device.cores);
  LaunchTimeline launches(workload.launches.size());
  WorkGroupLog work_groups(workload.launches.size());
  GroupTimeline group_states;
  SwitchedRunOptions options;
  options.keep_timeline = KeepTimeline::yes;
  options.observers = {&cores, &launches};
  // Where every change of every work-group is observed, nothing is fast-forwarded.
  if (kind != ModelRun::without_rows) options.observers.push_back(&work_groups);
  if (kind == ModelRun::plain) options.observers.push_back(&group_states);
  options.copied_at = copied_at;
  options.fast_forward = kind == ModelRun::plain ? FastForward::no : FastForward::yes;
  const RunResult result = testing::simulate(device, rules, workload, options);
  const std::string title;
  const LaunchGraph graph = make_launch_graph(workload);
  const DeviceSpec as_run = device_as_run(device, result.record);
  RunReport report{title, as_run, rules, workload, result.record, graph};
  report.timeline = &result.timeline;
  report.cores = &cores;
  report.launches = &launches;
  report.work_groups = &work_groups;
  report.group_states = &group_states;
  return {text_of(write_timeline_csv, report),
          text_of(write_cores_csv, report),
          text_of(write_phases_csv, report),
          kind == ModelRun::without_rows ? std::string() : text_of(write_work_groups_csv, report),
          text_of(write_launches_csv, report),
          text_of(write_kernels_csv, report),
          kind == ModelRun::plain ? text_of(write_group_states_csv, report) : std::string(),
          comparable_summary(text_of(write_summary_json, report)),
          rules.preemption ? text_of(write_slices_csv, report) : std::string(),
          time_spent_csv(result.record)};
}

std::string first_difference(const Tables& one, const Tables& other) {
  constexpr std::array<std::pair<const char*, std::string Tables::*>, 10> tables{
      {{"timeline", &Tables::timeline},
       {"cores", &Tables::cores},
       {"phases", &Tables::phases},
       {"work_groups", &Tables::work_groups},
       {"launches", &Tables::launches},
       {"kernels", &Tables::kernels},
       {"group_states", &Tables::group_states},
       {"summary", &Tables::summary},
       {"slices", &Tables::slices},
       {"time spent", &Tables::time_spent}}};
  for (const auto& [name, table] : tables)
    if (one.*table != other.*table) return std::string(name) + ": " + first_line(one.*table, other.*table);
  return {};
}

std::string disagreement(const testing::RandomRun& run) {
  const auto model = [&](ModelRun kind) { return model_run(run.device, run.device.dispatch, run.workload, kind); };
  Tables plain = model(ModelRun::plain);  // first: it may refuse
  const Tables naive = naive_run(run.device, run.device.dispatch, run.workload);
  if (const std::string found = first_difference(naive, plain); !found.empty())
    return "the oracle | the model: " + found;
  plain.group_states.clear();
  if (const std::string found = first_difference(plain, model(ModelRun::fast_forwarding)); !found.empty())
    return "the model | the model fast-forwarding: " + found;
  plain.work_groups.clear();
  if (const std::string found = first_difference(plain, model(ModelRun::without_rows)); !found.empty())
    return "the model | the model fast-forwarding without rows: " + found;
  return {};
}

}  // namespace gdsim::oracle
