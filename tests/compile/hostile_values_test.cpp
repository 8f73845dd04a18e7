#include "hostile_values.hpp"
#include "support/builders.hpp"

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/compile/compile.hpp>
#include <gdsim/occupancy/occupancy.hpp>
#include <gdsim/report/run_tables.hpp>

#include <rapidcheck/catch.h>
#include <catch2/catch.hpp>

// Invalid values: compile() answers with issues, or the run with a result. Under the sanitizers, which
// also end the program if a single allocation is large.

using namespace gdsim;
using namespace gdsim::testing;

extern "C" const char* __asan_default_options();
extern "C" const char* __asan_default_options() { return "max_allocation_size_mb=1024"; }

namespace {

/// The result: the number of issues, or the outcome.
std::string outcome_of(const DeviceSpec& device, const DispatchRules& rules, const Workload& workload,
                       const InternalRunOptions& options) {
  const Compilation compilation = compile(device, rules, workload);
  for (const Issue& issue : compilation.issues())
    if (issue.path.empty() || issue.message.empty()) return "an issue says nothing";
  if (!compilation) return compilation.issues().empty() ? "neither" : "issues";
  try {
    simulate(compilation.value(), options);
    return "result";
  } catch (const TimeOverflowError&) {
    return "time overflow";
  } catch (const InputError& error) {
    const std::string message = error.what();
    return message.find("options.") != std::string::npos ? "input error" : "names no option: " + message;
  }
}

/// Ends soon, whatever the values are: after some events, or at some time.
InternalRunOptions bounded() {
  InternalRunOptions options;
  options.bounds.events = between(0, 1) == 0 ? 2'000 : 100'000;
  if (*options.bounds.events > 2'000) options.bounds.time = at(ps(2'000));
  return options;
}

/// The names of the tables that a run on the device has.
std::vector<std::string> tables_of(const Compiled& compiled) {
  std::vector<std::string> names;
  for (const std::string_view name : run_table_names()) {
    if (name == "groups" && compiled.device().core_groups.empty()) continue;
    if (name == "ncu" && compiled.device().vendor != "nvidia") continue;
    if (name == "slices" && !compiled.rules().preemption) continue;
    names.emplace_back(name);
  }
  return names;
}

bool is_answer(const std::string& outcome) {
  return outcome == "issues" || outcome == "result" || outcome == "time overflow" || outcome == "input error";
}

}  // namespace

TEST_CASE("whatever values are built, there are issues or a result") {
  rc::prop("hostile values", [] {
    RandomRun run = draw_run();
    DispatchRules rules = run.device.dispatch;
    for (int i = between(1, 3); i > 0; --i) switch (between(0, 4)) {
        case 0:
        case 1: spoil_device(run.device); break;
        case 2: spoil_rules(rules); break;
        default: spoil_workload(run.workload);
      }
    const std::string outcome = outcome_of(run.device, rules, run.workload, bounded());
    RC_TAG(outcome);
    RC_ASSERT(is_answer(outcome));
  });
}

TEST_CASE("whatever options are built, there is a result or an error that names the option") {
  rc::prop("hostile options", [] {
    struct Idle : Observer {
      void on_instant(const Instant&) override {}
    } idle;
    InternalRunOptions options = bounded();
    if (between(0, 1) == 0)
      options.min_phase = {{hostile_number<std::uint64_t>(), hostile_number<std::uint64_t>()},
                           perhaps<Duration>(hostile_quantity<Duration>)};
    options.keep_timeline = hostile_enum<KeepTimeline>();
    options.observers = one_of<std::vector<Observer*>>({{}, {nullptr}, {&idle}, {&idle, nullptr}});
    options.bounds.time = perhaps<SimTime>(hostile_quantity<SimTime>);
    options.seed_offset = hostile_number<std::uint64_t>();
    const RandomRun run = draw_run();
    const std::string outcome = outcome_of(run.device, run.device.dispatch, run.workload, options);
    RC_TAG(outcome);
    RC_ASSERT(is_answer(outcome));
  });
}

TEST_CASE("whatever values are built, there is an occupancy or an error that names a value") {
  rc::prop("hostile questions", [] {
    RandomRun run = draw_run();
    for (int i = between(1, 3); i > 0; --i)
      between(0, 1) == 0 ? spoil_device(run.device) : spoil_workload(run.workload);
    for (const Kernel& kernel : run.workload.kernels)
      for (const GlobalSize global : {GlobalSize::any, GlobalSize::given}) {
        try {
          const Occupancy occupancy = occupancy_of(kernel, run.device, global);
          RC_TAG(static_cast<int>(occupancy.status));
          RC_ASSERT((occupancy.status == FitStatus::ok) == (occupancy.work_groups_per_core > 0));
          RC_ASSERT((occupancy.status == FitStatus::ok) == occupancy.refusals.empty());
        } catch (const InputError& error) {
          const std::string message = error.what();
          RC_ASSERT(message.find("device.") != std::string::npos || message.find("kernel.") != std::string::npos);
        }
      }
  });
}

TEST_CASE("whatever values are built, what runs can be written as every table") {
  rc::prop("tables of hostile values", [] {
    RandomRun run = draw_run();
    DispatchRules rules = run.device.dispatch;
    switch (between(0, 2)) {
      case 0: spoil_device(run.device); break;
      case 1: spoil_rules(rules); break;
      default: spoil_workload(run.workload);
    }
    const Compilation compilation = compile(run.device, rules, run.workload);
    RC_TAG(static_cast<bool>(compilation));
    if (!compilation) return;
    const std::vector<std::string> names = tables_of(compilation.value());
    RunTables tables(compilation.value(), names);
    RunOptions options = bounded();
    tables.watch(options);
    try {
      const RunResult result = simulate(compilation.value(), options);
      for (const std::string& name : names) RC_ASSERT(name == "graph" || !tables.text(name, result).empty());
    } catch (const TimeOverflowError&) {
      RC_TAG(std::string("time overflow"));
    } catch (const InputError& error) {
      RC_LOG(std::string(error.what()));
      RC_ASSERT(std::string(error.what()).find("options.") != std::string::npos);
    }
  });
}
