#include "oracle/check_scenarios.hpp"
#include "oracle/compare.hpp"
#include "oracle/random_scenarios.hpp"
#include "oracle/scenario_yaml.hpp"
#include "support/builders.hpp"
#include "support/random_values.hpp"

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/compile/compile_with_policies.hpp>
#include <gdsim/compile/compiled_parts.hpp>
#include <gdsim/run/drive.hpp>

#include <rapidcheck/catch.h>
#include <catch2/catch.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

// A run can be stopped at any instant and its state copied: the original and the copy both continue unchanged, and
// neither affects the other.

using namespace gdsim;
using namespace gdsim::testing;

namespace {

RandomRun draw_judged_run() {
  const int kind = one_of({0, 1, 2});
  RandomRun run = kind == 0 ? draw_run() : kind == 1 ? oracle::draw_any_run() : oracle::draw_chain_of_launches();
  if (threads_of(run.workload) > oracle::kMaxThreads) RC_DISCARD("too large");
  return run;
}

/// Returns the compiled run, or discards it.
Compiled draw_compiled(const RandomRun& run) {
  try {
    return compiled(run.device, run.workload);
  } catch (const InputError&) {
    RC_DISCARD("refused");
  }
}

/// Advances by one instant, and returns all that it reports.
std::string next_instant(Model& model) {
  if (!model.next_instant()) return "over";
  std::string text = std::to_string(model.now().count) + ":";
  const auto add = [&text](auto... numbers) { ((text += ' ' + std::to_string(numbers)), ...); };
  for (const Fact& fact : model.facts())
    add(static_cast<int>(fact.kind), int{fact.opens_core}, int{fact.opens_group}, int{fact.fills_group},
        int{fact.closes_core}, int{fact.closes_group}, index_of(fact.core), fact.threads, index_of(fact.launch),
        static_cast<std::uint64_t>(fact.work_group), fact.slm.count);
  for (const LaunchFact& fact : model.launch_facts()) add(static_cast<int>(fact.kind), index_of(fact.launch));
  return text;
}

/// Time use by core, kernel and kind, which tables sum up.
std::vector<Int128> time_use_of(const RunRecord& record) {
  std::vector<Int128> times;
  for (const CoreTimeUse& one : record.time_use)
    for (std::size_t kind = 0; kind < kTimeKindCount; ++kind) times.push_back(one.use.of(static_cast<TimeKind>(kind)));
  return times;
}

}  // namespace

TEST_CASE("a copy of a run's state, stopped at any instant, goes on to the same facts, and so does the original") {
  const std::string failure = oracle::check_scenarios([] {
    const RandomRun run = draw_judged_run();
    const Compiled compiled = draw_compiled(run);
    const auto input = [&] { return input_of(CompiledParts::of(compiled)); };
    Model undisturbed(input());
    Model original(input());
    Model copy(input());
    Model latest(input());  // a copy of the original that is renewed from time to time
    const auto before = between<std::size_t>(0, 60);
    const auto stale = between<std::size_t>(0, 10);
    std::size_t instants = 0;
    for (; instants < before; ++instants) {
      const std::string expected = next_instant(undisturbed);
      RC_ASSERT(next_instant(original) == expected);
      if (instants < stale) next_instant(copy);  // its previous state does not matter
      if (expected == "over") break;
    }
    copy.continue_from(original);
    latest.continue_from(original);
    for (std::string expected; expected != "over" && !undisturbed.is_done(); ++instants) {
      expected = next_instant(undisturbed);
      const std::string copied = next_instant(copy);
      const std::string went_on = next_instant(original);
      if (copied != expected || went_on != expected)
        RC_LOG(oracle::scenario_yaml(run) + "instant " + std::to_string(instants));
      RC_ASSERT(copied == expected);
      RC_ASSERT(went_on == expected);
      RC_ASSERT(next_instant(latest) == expected);
      if (instants % 7 == 0) latest.continue_from(original);
    }
  });
  CHECK(failure.empty());
  if (!failure.empty()) FAIL(failure);
}

TEST_CASE("a run that goes on as a copy of its state writes the same tables, fast-forwarding or not") {
  const std::string failure = oracle::check_scenarios([] {
    const RandomRun run = draw_judged_run();
    const auto kind = one_of({oracle::ModelRun::plain, oracle::ModelRun::fast_forwarding});
    const auto tables = [&](std::optional<SimTime> copied_at) {
      return oracle::model_run(run.device, run.device.dispatch, run.workload, kind, copied_at);
    };
    const auto times = [&](std::optional<SimTime> copied_at) {
      InternalRunOptions options;
      options.for_tests.copied_at = copied_at;
      return simulate(run.device, run.device.dispatch, run.workload, options).record;
    };
    SimTime at;
    std::string difference;
    bool is_same_use = false;
    try {
      const RunRecord whole = times({});
      at = SimTime{between<std::int64_t>(0, whole.end.count)};
      difference = oracle::first_difference(tables({}), tables(at));
      is_same_use = time_use_of(whole) == time_use_of(times(at));
    } catch (const InputError&) {
      RC_DISCARD("refused");
    }
    if (!difference.empty() || !is_same_use)
      RC_LOG(oracle::scenario_yaml(run) + "copied at " + std::to_string(at.count) + " ps: " + difference);
    RC_ASSERT(difference.empty());
    RC_ASSERT(is_same_use);
  });
  CHECK(failure.empty());
  if (!failure.empty()) FAIL(failure);
}

TEST_CASE("a state whose placement cannot be copied is not copied, and the other stays as it was") {
  struct Own : Placement {};
  PolicyCatalog policies = built_in_policies();
  policies.placements.push_back(
      {"own", [](const DeviceSpec&) -> std::unique_ptr<Placement> { return std::make_unique<Own>(); }});
  DispatchRules rules = small_device().dispatch;
  rules.placement = "own";
  const Workload workload = workload_of({kernel_of(4, 8, {compute(us(1))})});
  const Compiled compiled = compile(small_device(), rules, workload, policies).value();
  const auto input = [&] { return input_of(CompiledParts::of(compiled)); };
  Model original(input());
  Model other(input());
  next_instant(original);
  CHECK_THROWS_AS(other.continue_from(original), std::invalid_argument);
  CHECK(next_instant(other) != "over");
}

TEST_CASE("a state of another Compiled is not copied, nor one that keeps series of waits") {
  const Workload workload = workload_of({kernel_of(4, 8, {compute(us(1))})});
  const Compiled one = compiled(small_device(), workload);
  const Compiled other = compiled(small_device(), workload);
  Model model(input_of(CompiledParts::of(one)));
  Model foreign(input_of(CompiledParts::of(other)));
  CHECK_THROWS_AS(model.continue_from(foreign), std::invalid_argument);
  WaitSeries series(1);
  Model watched(input_of(CompiledParts::of(one), 0, {}, {&series}));
  CHECK_THROWS_AS(model.continue_from(watched), std::invalid_argument);
  CHECK_THROWS_AS(watched.continue_from(model), std::invalid_argument);
}
