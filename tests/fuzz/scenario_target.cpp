#include "every_report.hpp"
#include "fuzz_targets.hpp"
#include "support/string_sink.hpp"
#include <gdsim/base/diagnostic.hpp>
#include <gdsim/report/trace/perfetto_trace.hpp>
#include <gdsim/scenario/expectations/expectations.hpp>
#include <gdsim/scenario/read_scenario.hpp>

#include <algorithm>

namespace gdsim::fuzz {
namespace {

// The work that one input may cause. What is larger is read and checked, but not run.
constexpr std::uint32_t kMaxCores = 128;
constexpr std::size_t kMaxLaunches = 500;
constexpr std::uint64_t kMaxEvents = 5'000;
constexpr std::uint64_t kMaxRepetitions = 2;
constexpr std::size_t kMaxCases = 2;

const std::set<Keeps> kEverything{Keeps::timeline, Keeps::cores,       Keeps::work_groups, Keeps::group_states,
                                  Keeps::launches, Keeps::repetitions, Keeps::waits};

bool is_small(const Scenario& scenario) {
  // Several devices are read and checked; their commands are not among the targets.
  return scenario.devices.empty() && scenario.device.cores <= kMaxCores &&
         scenario.workload.launches.size() <= kMaxLaunches;
}

InternalRunOptions bounded_options() {
  InternalRunOptions options;
  options.bounds.events = kMaxEvents;
  return options;
}

void evaluate_all(const Scenario& scenario, const cli::CaseRun& run) {
  for (const Expectation& expectation : scenario.expectations)
    static_cast<void>(evaluate_expectation(expectation, scenario, {&run.record(), run.work_groups(), run.cores()}));
}

void trace(const Scenario& scenario) {
  testing::StringSink sink;
  const LaunchGraph graph = make_launch_graph(scenario.workload);
  PerfettoTrace perfetto(scenario.title, scenario.device, scenario.workload, graph, sink);
  InternalRunOptions options = bounded_options();
  options.observers.push_back(&perfetto);
  const cli::CaseRun run(scenario, {}, options);
  perfetto.finish(run.record());
}

void run(Scenario scenario) {
  scenario.repeat = std::min(scenario.repeat, kMaxRepetitions);
  const cli::CaseRun case_run(scenario, kEverything, bounded_options());
  evaluate_all(scenario, case_run);
  static_cast<void>(tables_of(case_run));
  static_cast<void>(every_report(case_run));
  trace(scenario);
}

}  // namespace

void scenario(std::string_view input) {
  try {
    SourceFiles sources;
    ReadOptions options;
    options.models = {GDSIM_FUZZ_MODELS};
    const SourceText& source = sources.keep("fuzz.yaml", std::string(input));
    std::size_t runs = 0;
    for (ScenarioCase& one : read_scenario(source, GDSIM_FUZZ_MODELS, options, sources)) {
      if (runs++ == kMaxCases) break;
      try {
        if (is_small(one.scenario)) run(std::move(one.scenario));
      } catch (const InputError&) {  // one case that the device refuses does not keep others from running
      }
    }
  } catch (const InputError&) {
  }
}

}  // namespace gdsim::fuzz
