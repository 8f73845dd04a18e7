#include "oracle/compare.hpp"
#include "oracle/devices.hpp"
#include "oracle/summary.hpp"
#include "support/builders.hpp"
#include "support/string_sink.hpp"
#include <gdsim/analysis/run_report.hpp>
#include <gdsim/record/part_timelines.hpp>
#include <gdsim/record/wait_log.hpp>
#include <gdsim/report/csv/csv_tables.hpp>
#include <gdsim/report/json/summary_json.hpp>
#include <gdsim/run/ensemble/ensemble.hpp>
#include <gdsim/run/internal_run_options.hpp>
#include <gdsim/scenario/compile_scenario.hpp>

#include <array>
#include <deque>
#include <sstream>
#include <utility>
#include <vector>

namespace gdsim::oracle {
namespace {

std::string text_of(const CsvTable& table, const RunReport& report) {
  testing::StringSink sink;
  table.write(report, sink);
  return std::move(sink.text);
}

/// Returns the first line that differs, of both texts.
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

/// The data that observers of one device keep.
struct Kept {
  explicit Kept(const DeviceSpec& device, const Workload& workload)
      : cores(device.cores), launches(workload.launches.size()), work_groups(workload.launches.size()) {}

  InternalRunOptions options() {
    InternalRunOptions options;
    options.keep_timeline = KeepTimeline::yes;
    options.observers = {&cores, &launches, &work_groups, &group_states};
    return options;
  }

  CoreTimeline cores;
  LaunchTimeline launches;
  WorkGroupLog work_groups;
  GroupTimeline group_states;
};

/// Removes the last two columns, the bound of a launch and its percentage: the oracle does not know them.
std::string without_bounds(const std::string& table) {
  std::istringstream lines(table);
  std::string text;
  for (std::string line; std::getline(lines, line);)
    text += line.substr(0, line.rfind(',', line.rfind(',') - 1)) + "\n";
  return text;
}

Tables tables_of(const DeviceSpec& device, const DispatchRules& rules, const Workload& workload,
                 const RunResult& result, const Kept& kept) {
  const std::string title;
  const LaunchGraph graph = make_launch_graph(workload);
  const DeviceSpec as_run = device_as_run(device, result.record);
  RunReport report{title, as_run, rules, workload, result.record, graph};
  report.timeline = &result.timeline;
  report.cores = &kept.cores;
  report.launches = &kept.launches;
  report.work_groups = &kept.work_groups;
  report.group_states = &kept.group_states;
  testing::StringSink sink;
  write_summary_json(report, sink);
  return {text_of(timeline_table(), report),
          text_of(cores_table(), report),
          text_of(phases_table(), report),
          text_of(work_groups_table(), report),
          without_bounds(text_of(launches_table(), report)),
          text_of(kernels_table(), report),
          text_of(group_states_table(), report),
          comparable_summary(sink.text),
          rules.preemption ? text_of(slices_table(), report) : std::string(),
          time_spent_csv(result.record)};
}

/// Returns the tables that the model writes.
Tables model_run(const DeviceSpec& device, const Workload& workload) {
  Kept kept(device, workload);
  const RunResult result = testing::simulate(device, device.dispatch, workload, kept.options());
  return tables_of(device, device.dispatch, workload, result, kept);
}

/// Returns the first difference of two runs: the table, and its line in both. Empty if they are equal.
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

TablesOfDevices model_run_of_devices(const Scenario& scenario, Pace pace) {
  const std::vector<Compiled> compiled = compile_devices(scenario);
  std::deque<Kept> kept;
  std::vector<InternalRunOptions> options;
  for (const Scenario& one : scenario.devices) options.push_back(kept.emplace_back(one.device, one.workload).options());
  const EnsembleResult run = simulate_devices({compiled, options, scenario.links, scenario.collectives, {}, pace});
  TablesOfDevices all;
  for (std::size_t i = 0; i < compiled.size(); ++i) {
    const Scenario& one = scenario.devices[i];
    all.devices.push_back(tables_of(one.device, one.dispatch, one.workload, run.devices[i], kept[i]));
  }
  const RunRecord& record = run.all;
  all.all = totals_of_devices(record.outcome == Outcome::completed,
                              {record.begin.count, record.first_dispatch.count, record.end.count, record.contexts_total,
                               record.peak_resident, record.resident_time});
  return all;
}

}  // namespace

std::string disagreement_of_devices(const Scenario& scenario) {
  std::vector<OneDevice> devices;
  for (const Scenario& one : scenario.devices) devices.push_back({one.device, one.dispatch, one.workload});
  const TablesOfDevices naive = run_of_devices(devices, scenario.links, scenario.collectives);
  for (const Pace pace : {Pace::together, Pace::apart}) {
    const TablesOfDevices model = model_run_of_devices(scenario, pace);
    const std::string which = pace == Pace::apart ? " of devices that go on alone: " : ": ";
    for (std::size_t i = 0; i < devices.size(); ++i)
      if (const std::string found = first_difference(naive.devices[i], model.devices[i]); !found.empty())
        return "the oracle | the model, device " + std::to_string(i) + which + found;
    if (naive.all != model.all) return "the oracle | the model" + which + naive.all + " | " + model.all;
  }
  return {};
}

std::string disagreement(const testing::RandomRun& run) {
  const Tables model = model_run(run.device, run.workload);  // first, because it may refuse the run
  const std::string found = first_difference(naive_run(run.device, run.device.dispatch, run.workload), model);
  return found.empty() ? found : "the oracle | the model: " + found;
}

}  // namespace gdsim::oracle
