#include "oracle/check_scenarios.hpp"
#include "oracle/random_scenarios.hpp"
#include "oracle/scenario_yaml.hpp"
#include "support/builders.hpp"
#include "support/random_values.hpp"

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/compile/compiled_parts.hpp>
#include <gdsim/model/model_state.hpp>
#include <gdsim/model/process.hpp>
#include <gdsim/run/drive.hpp>

#include <rapidcheck/catch.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

// A process that is suspended from time to time behaves as it does alone on the device, by its own time.

using namespace gdsim;
using namespace gdsim::testing;

namespace {

/// Draws a run in which the host takes no time: all time is the device's.
RandomRun draw_run_of_device() {
  RandomRun run = one_of({true, false}) ? draw_run() : oracle::draw_any_run();
  if (threads_of(run.workload) > oracle::kMaxThreads) RC_DISCARD("too large");
  DeviceSpec& device = run.device;
  device.submit_overhead = device.launch_latency = device.dependency_gap = {};
  device.submission.reset();
  device.graph_gap.reset();
  device.clock_changes.clear();
  device.power.reset();
  if (device.launch_cost) device.launch_cost->overlapping = {};
  for (Kernel& kernel : run.workload.kernels) kernel.jit = {};
  for (Launch& launch : run.workload.launches) {
    if (!launch.is_kernel()) launch.work = KernelId{};  // a copy takes time of the host
    launch.at = {};
  }
  return run;
}

Compiled compiled_or_discarded(const RandomRun& run) {
  try {
    return compiled(run.device, run.workload);
  } catch (const InputError& error) {
    RC_DISCARD(std::string("refused: ") + error.what());
  }
}

/// The text of all events, by time.
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

/// The final accounts, except for times of the host.
std::vector<Int128> accounts_of(Model& model) {
  std::vector<Int128> all;
  for (const CoreTimeUse& one : finalize_time_use(model.state()))
    for (const Int128 time : one.use.spent) all.push_back(time);
  settle_launches(model.state());
  for (const LaunchRecord& launch : model.state().launches.records())
    for (const Int128 value : {launch.resident_time, launch.core_time, launch.resident_time_when_dispatched,
                               Int128{launch.work_groups_ended}, Int128{launch.work_groups_dispatched}})
      all.push_back(value);
  for (const IdleUse& use : model.state().dispatching.accounts().take_idle(model.now()))
    all.push_back(use.context_time);
  for (const Core& core : model.state().bank.cores) all.push_back(core.context_time(model.now()));
  return all;
}

/// Suspends the process before its next event, and resumes it some time later. Returns the time of the resumption.
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
    const auto input = [&] { return input_of(CompiledParts::parts_of(compiled)); };
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

namespace {

/// Keeps the facts of one process at its own time, which stands still while another has the device.
class OwnStory : public Observer {
 public:
  explicit OwnStory(std::size_t launches) : launches_(launches) {}

  Detail detail() const override { return Detail::everything; }
  void on_instant(const Instant& now) override {
    std::vector<Fact>& facts = facts_[now.time.count];
    for (const Fact& fact : now.facts) {
      if (fact.kind != ThreadEvent::saved && fact.kind != ThreadEvent::restored && is_own(fact.launch))
        facts.push_back(fact);
      if (fact.closes_group) ++ends_[{fact.launch, fact.work_group}];
    }
    for (const LaunchFact& fact : now.launches)
      if (is_own(fact.launch)) launch_facts_[now.time.count].push_back(fact);
  }
  /// Returns the story by the time for which the process had run.
  Story by_own_time(const RunRecord& record) const {
    Story story;
    for (const auto& [time, facts] : facts_)
      note(story, own_time(record, SimTime{time}), facts,
           launch_facts_.count(time) > 0 ? launch_facts_.at(time) : std::vector<LaunchFact>{});
    return story;
  }
  /// Returns true if each work-group has ended once.
  bool ended_once(std::uint64_t work_groups) const {
    return ends_.size() == work_groups &&
           std::all_of(ends_.begin(), ends_.end(), [](const auto& end) { return end.second == 1; });
  }

 private:
  bool is_own(LaunchId launch) const { return index_of(launch) < launches_; }
  static SimTime own_time(const RunRecord& record, SimTime time) {
    if (!record.preemption) return time;
    Duration own;
    for (const DeviceSpan& span : record.preemption->spans)
      if (span.process == record.preemption->process_of[0] && span.use == DeviceUse::running && span.begin < time)
        own = own + (std::min(span.end, time) - span.begin);
    return SimTime{} + own;
  }

  std::size_t launches_;
  std::map<std::int64_t, std::vector<Fact>> facts_;
  std::map<std::int64_t, std::vector<LaunchFact>> launch_facts_;
  std::map<std::pair<LaunchId, WorkGroupId>, int> ends_;
};

/// Removes children: they are numbered after all launches of the host, so their draws would change with these.
RandomRun without_children(RandomRun run) {
  const auto is_launch = [](const Step& step) { return std::holds_alternative<LaunchChild>(step); };
  for (Kernel& kernel : run.workload.kernels) {
    for (std::size_t i = 0; i < kernel.program_count(); ++i) std::erase_if(kernel.program_of(i), is_launch);
    if (has_step<LaunchChild>(kernel.program)) RC_DISCARD("a child in a loop");
  }
  std::erase_if(run.workload.launches, [](const Launch& launch) { return launch.parent() != nullptr; });
  for (Launch& launch : run.workload.launches) launch.as_kernel().first_child.reset();
  return run;
}

/// Makes one process of the launches of the run: of one queue, or of one priority.
void make_one_process(RandomRun& run, KernelChoice choice) {
  run.device.dispatch.kernel_choice = choice;
  run.device.dispatch.admission = Admission::whole;
  for (Queue& queue : run.workload.queues) queue.priority = 0;
  for (Launch& launch : run.workload.launches) {
    launch.as_kernel().priority.reset();
    if (choice == KernelChoice::time_sliced && launch.parent() == nullptr) launch.queue = QueueId{0};
  }
}

/// Returns the same run with another process, which has a few launches at arbitrary times.
RandomRun beside_another(const RandomRun& run) {
  RandomRun both = run;
  Workload& workload = both.workload;
  workload.queues.push_back({"other", QueueOrder::in_order, {}});
  Kernel other = kernel_of(1, 1, {compute(ps(between<std::int64_t>(1, 2'000)))});
  other.name = "other";
  other.sub_group = both.device.sub_group_sizes.front();
  other.range.local = {1, 1, other.sub_group};
  other.range.global = {1, 1, other.sub_group * between<std::uint64_t>(1, 9)};
  workload.kernels.push_back(other);
  for (int i = between(1, 3); i > 0; --i) {
    Launch& launch = workload.launches.emplace_back();
    launch.name = "other" + std::to_string(i);
    launch.work = KernelId{static_cast<std::uint32_t>(workload.kernels.size() - 1)};
    launch.queue = QueueId{static_cast<std::uint32_t>(workload.queues.size() - 1)};
    launch.at = at(ps(between<std::int64_t>(0, 5'000)));
    if (both.device.dispatch.kernel_choice == KernelChoice::priority) launch.as_kernel().priority = 1;
  }
  PreemptionRule& rule = both.device.dispatch.preemption.emplace();
  rule.of = PreemptionOf::thread;
  if (both.device.dispatch.kernel_choice == KernelChoice::time_sliced)
    rule.quantum = ps(one_of<std::int64_t>({40, 333, 5'000}));
  return both;
}

/// Returns the story of the process whose launches come first, by its own time.
Story story_of(const RandomRun& run, OwnStory& story) {
  InternalRunOptions options;
  options.observers = {&story};
  const RunRecord record = simulate(compiled_or_discarded(run), options).record;
  if (record.outcome == Outcome::completed) RC_ASSERT(story.ended_once(record.work_groups_total));
  return story.by_own_time(record);
}

}  // namespace

TEST_CASE("of a process beside another one, the time line without the spans of the other is that of it alone") {
  const std::string failure = oracle::check_scenarios([] {
    RandomRun run = without_children(draw_run_of_device());
    make_one_process(run, one_of({KernelChoice::time_sliced, KernelChoice::priority}));
    RandomRun alone = run;
    if (run.device.dispatch.kernel_choice == KernelChoice::time_sliced)
      alone.device.dispatch.kernel_choice = KernelChoice::head_only;
    const RandomRun both = beside_another(run);
    const std::size_t launches = run.workload.launches.size();
    OwnStory expected(launches), found(launches);
    const Story story_alone = story_of(alone, expected);
    const Story story = story_of(both, found);
    if (story != story_alone) RC_LOG(oracle::scenario_yaml(both));
    RC_ASSERT(story == story_alone);
  });
  CHECK(failure.empty());
  if (!failure.empty()) FAIL(failure);
}

TEST_CASE("under any preemption each work-group ends once, and one process at a time has the device") {
  const std::string failure = oracle::check_scenarios([] {
    RandomRun run = without_children(draw_run_of_device());
    make_one_process(run, one_of({KernelChoice::time_sliced, KernelChoice::priority}));
    RandomRun both = beside_another(run);
    both.device.launch_latency = ps(between<std::int64_t>(0, 500));
    both.device.dependency_gap = ps(between<std::int64_t>(0, 500));
    PreemptionRule& rule = *both.device.dispatch.preemption;
    rule.of = one_of({PreemptionOf::work_group, PreemptionOf::thread});
    if (rule.of == PreemptionOf::thread) {
      rule.save.per_work_group = {Decimal::whole(between<std::uint64_t>(0, 300))};
      rule.restore.per_work_group = {Decimal::whole(between<std::uint64_t>(0, 300))};
    }
    OwnStory story(both.workload.launches.size());
    InternalRunOptions options;
    options.observers = {&story};
    const RunRecord record = simulate(compiled_or_discarded(both), options).record;
    if (record.outcome == Outcome::completed) RC_ASSERT(story.ended_once(record.work_groups_total));
    SimTime last;
    Duration used;
    for (const DeviceSpan& span : record.preemption->spans) {
      RC_ASSERT((span.begin >= last && span.end > span.begin));
      last = span.end;
      used = used + (span.end - span.begin);
    }
    for (const ProcessRecord& process : record.preemption->processes)
      used = used - (process.spent_on(DeviceUse::running) + process.spent_on(DeviceUse::draining) +
                     process.spent_on(DeviceUse::saving) + process.spent_on(DeviceUse::restoring));
    RC_ASSERT(used.count == 0);  // each span is in one account
  });
  CHECK(failure.empty());
  if (!failure.empty()) FAIL(failure);
}
