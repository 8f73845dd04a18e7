#include "oracle/check_scenarios.hpp"
#include "oracle/random_scenarios.hpp"
#include "oracle/scenario_yaml.hpp"
#include "support/builders.hpp"
#include "support/random_values.hpp"

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/compile/compiled_parts.hpp>
#include <gdsim/model/preemption/process.hpp>
#include <gdsim/model/settlement.hpp>
#include <gdsim/run/drive.hpp>

#include <rapidcheck/catch.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <vector>

// A process that does not always have the device does what it does alone on it, at its own time.

using namespace gdsim;
using namespace gdsim::testing;

namespace {

/// A run in which the host takes no time: whatever takes time then is the device's.
RandomRun draw_run_of_device() {
  RandomRun run = one_of({true, false}) ? draw_run() : oracle::draw_any_run();
  if (threads_of(run.workload) > oracle::kMaxThreads) RC_DISCARD("too large");
  DeviceSpec& device = run.device;
  device.submit_overhead = device.launch_latency = device.dependency_gap = {};
  device.submission.reset();
  device.graph_gap.reset();
  device.clock_changes.clear();
  if (device.launch_cost) device.launch_cost->overlapping = {};
  for (Kernel& kernel : run.workload.kernels) kernel.jit = {};
  for (Launch& launch : run.workload.launches) {
    if (launch.is_copy()) launch.work = KernelId{};  // a copy takes time of the host
    launch.at = {};
  }
  return run;
}

Compiled compiled_or_discarded(const RandomRun& run) {
  try {
    return compiled(run.device, run.workload);
  } catch (const InputError&) {
    RC_DISCARD("refused");
  }
}

/// All that happened, by time.
using Story = std::map<std::int64_t, std::string>;

void note(Story& story, SimTime at, std::span<const Fact> facts, std::span<const LaunchFact> launches) {
  if (facts.empty() && launches.empty()) return;
  std::string& text = story[at.count];
  const auto add = [&text](auto... numbers) { ((text += ' ' + std::to_string(numbers)), ...); };
  for (const Fact& fact : facts)
    add(static_cast<int>(fact.kind), int{fact.opens_core}, int{fact.opens_group}, int{fact.fills_group},
        int{fact.closes_core}, int{fact.closes_group}, index_of(fact.core), fact.threads, index_of(fact.launch),
        static_cast<std::uint64_t>(fact.work_group), fact.slm.count);
  for (const LaunchFact& fact : launches) add(static_cast<int>(fact.kind), index_of(fact.launch));
}

/// What accounts hold in the end, but for times of the host.
std::vector<Int128> accounts_of(Model& model) {
  std::vector<Int128> all;
  for (const CoreTimeUse& one : finalize_time_use(model.state()))
    for (const Int128 time : one.use.spent) all.push_back(time);
  settle_launches(model.state());
  for (const LaunchRecord& launch : model.state().launches.records())
    for (const Int128 value : {launch.resident_time, launch.core_time, launch.resident_time_when_dispatched,
                               Int128{launch.groups_ended}, Int128{launch.groups_dispatched}})
      all.push_back(value);
  for (const IdleUse& use : model.state().dispatcher.take_idle(model.now())) all.push_back(use.context_time);
  for (const Core& core : model.state().bank.cores) all.push_back(core.context_time(model.now()));
  return all;
}

/// Suspends the process at a time before the one at which something happens next, and resumes it some time later.
/// Returns when that is.
SimTime interrupt(Process& process, SimTime now) {
  const auto next = process.next_time();
  const std::int64_t gap = next ? (*next - now).count : 0;
  const SimTime at = now + Duration{gap > 1 ? between<std::int64_t>(0, std::min<std::int64_t>(gap - 1, 1'000'000)) : 0};
  process.suspend(at);
  const SimTime until = at + Duration{one_of<std::int64_t>({0, 1, 7, 1'000, 123'456'789})};
  process.resume(until);
  return until;
}

}  // namespace

TEST_CASE("a process that loses the device at any instant goes on later to the same facts at its own time") {
  const std::string failure = oracle::check_scenarios([] {
    const RandomRun run = draw_run_of_device();
    const Compiled compiled = compiled_or_discarded(run);
    const auto input = [&] { return input_of(CompiledParts::of(compiled)); };
    Model alone(input());
    Story expected;
    while (!alone.is_done() && alone.next_instant()) note(expected, alone.now(), alone.facts(), alone.launch_facts());
    Process process(input());
    process.resume({});
    Story story;
    SimTime now;
    const int often = one_of({2, 5, 30});
    while (!process.is_done()) {
      const auto next = process.next_time();
      if (!next) break;
      now = *next;
      process.run_instant(now);
      note(story, process.own_time(), process.facts(), process.launch_facts());
      if (!process.is_done() && between(0, often) == 0) now = interrupt(process, now);
    }
    if (story != expected) RC_LOG(oracle::scenario_yaml(run));
    RC_ASSERT(story == expected);
    RC_ASSERT(process.own_time().count == alone.now().count);
    RC_ASSERT(accounts_of(process.model()) == accounts_of(alone));
  });
  CHECK(failure.empty());
  if (!failure.empty()) FAIL(failure);
}
