#include "infer/logs.hpp"
#include "support/builders.hpp"
#include <gdsim/infer/inference.hpp>
#include <gdsim/infer/log/placement_log.hpp>
#include <gdsim/infer/replay.hpp>

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <algorithm>

// Logs in which free slots wait for a slow dispatcher, so that no slot shows how long it takes to be free again, and
// logs of kernels that differ in what they need.

using namespace gdsim;
using namespace gdsim::testing;
using Catch::Matchers::Contains;

namespace {

/// 16 cores with room for 8 work-groups of 2 threads; slots recover in 90 ns.
DeviceSpec device_of_logs(std::int64_t interval_ns) {
  return with(small_device(), [&](DeviceSpec& device) {
    device.id = "recovering";
    device.cores = 16;
    device.engines_per_core = 1;
    device.contexts_per_engine = 16;
    device.dispatch.placement = "most_room";
    device.dispatch.tie_order = TieOrder{TieOrder::Pattern::evens_then_odds, {}};
    device.dispatch.recovery = StepTime{Decimal::whole(90'000)};
    device.dispatch.interval =
        DispatchInterval{{Decimal::whole(static_cast<std::uint64_t>(interval_ns) * 1'000)}, {}, "device"};
    device.dispatch.kernel_choice = KernelChoice::round_robin;
  });
}

Kernel drawn_kernel(std::uint64_t groups, std::uint64_t threads, std::uint64_t seed) {
  Kernel kernel = kernel_of(groups, threads, {compute(us(2))});
  Draw draw;
  draw.distribution = Distribution::lognormal;
  draw.cv = Decimal{3, -1};
  draw.seed = seed;
  kernel.variation.draw = draw;
  kernel.variation.is_lock_step = false;
  return kernel;
}

/// A log of all launches: `launch,work_group,core,start_ps,end_ps,threads`.
std::string log_of_all(const FullRun& run, const Workload& workload) {
  std::string text = "launch,work_group,core,start_ps,end_ps,threads,threads_first_placed\n";
  for (std::uint32_t i = 0; i < workload.launches.size(); ++i) {
    std::uint64_t number = 0;
    const std::uint64_t threads = workload.kernel_of(workload.launches[i]).threads_per_work_group();
    for (const WorkGroupRecord& one : run.work_groups.records_of(launch(i)))
      text += fmt::format("{},{},{},{},{},{},{}\n", workload.launches[i].name, number++, index_of(one.core),
                          one.first_placed.count, one.ended.value().count, threads, threads);
  }
  return text;
}

std::string log_on(const DeviceSpec& device, const Workload& workload) {
  return log_of_all(run_fully(device, workload), workload);
}

const TimeEstimate* recovery_of(const Inference& inference) {
  for (const TimeEstimate& one : inference.times)
    if (one.name == "recovery") return &one;
  return nullptr;
}

}  // namespace

TEST_CASE("where the dispatcher is slower than work-groups end, its rules and the recovery are found all the same") {
  const DeviceSpec device = device_of_logs(25);
  const Inferred found = infer(log_on(device, workload_of({drawn_kernel(1'500, 2, 3)})), device, {2});
  INFO(found.problems << inference_text(found.inference));
  CHECK(found.inference.verdict != Verdict::none);
  CHECK(found.has("{placement: most_room, tie_order: evens_then_odds, interval: {per_work_group: 25 ns}, recovery: "));
  CHECK(found.inference.candidates.front().launches_exact == 1);
  REQUIRE(recovery_of(found.inference) != nullptr);
  CHECK(parse_duration(recovery_of(found.inference)->low).value->count <= 90'000);
  CHECK(90'000 <= parse_duration(recovery_of(found.inference)->high).value->count);
}

TEST_CASE("the same of two kernels in turn whose work-groups need differently much") {
  for (const std::int64_t interval : {25, 1}) {
    const DeviceSpec device = device_of_logs(interval);
    const Inferred found =
        infer(log_on(device, workload_of({drawn_kernel(700, 2, 3), drawn_kernel(700, 4, 5)})), device, {2});
    INFO(interval << found.problems << inference_text(found.inference));
    CHECK(found.inference.verdict != Verdict::none);
    CHECK(found.has("{placement: most_room, tie_order: evens_then_odds"));
    CHECK(found.inference.candidates.front().launches_exact == 2);
  }
}

TEST_CASE("a dispatcher that is slow does not make a shuffled log fit") {
  const DeviceSpec device = device_of_logs(25);
  FullRun run = run_fully(device, workload_of({drawn_kernel(800, 2, 3)}));
  std::string text = "work_group,core,start_ps,end_ps,threads,threads_first_placed\n";
  std::uint64_t number = 0;
  for (const WorkGroupRecord& one : run.work_groups.records_of(launch(0))) {
    text += fmt::format("{},{},{},{},2,2\n", number, (index_of(one.core) * 7 + number * number % 13) % 16,
                        one.first_placed.count, one.ended.value().count);
    ++number;
  }
  const Inferred found = infer(text, device, {2});
  INFO(found.problems << found.inference.sentence);
  CHECK(found.inference.verdict == Verdict::none);
}

TEST_CASE("kernels in turn cost a few changes for each work-group, whatever the number of cores is") {
  const DeviceSpec device = with(device_of_logs(1), [](DeviceSpec& d) { d.cores = 64; });
  const Workload workload = workload_of({drawn_kernel(1'500, 2, 3), drawn_kernel(1'500, 4, 5)});
  const SourceText source("log.csv", log_on(device, workload));
  Diagnostics problems;
  const PlacementLog log = read_placement_log(source, device.id, problems);
  REQUIRE(problems.empty());
  std::vector<std::string> notes;
  const LogFootprints footprints =
      footprints_of(log.sessions.at(0), log.time, device, Admission::whole, notes, problems);
  const Replay replayed =
      replay(log.sessions.at(0), footprints, {built_in_placements(), log.time, 90'000, Admission::whole}, 0);
  CHECK(replayed.kinds == 2);
  REQUIRE(replayed.steps.size() == 3'000);
  CHECK(replayed.changes.size() <= 4 * replayed.steps.size() + 2 * 64);
}

TEST_CASE("of rules that do not explain a log, the first decision that they get wrong is named") {
  // Round robin over 4 cores, but work-group 6 and 7 are exchanged.
  std::string log = "work_group,core,threads,threads_first_placed\n";
  for (int i = 0; i < 32; ++i) log += fmt::format("{},{},1,1\n", i, i == 6 ? 3 : i == 7 ? 2 : i % 4);
  const DeviceSpec device = with(small_device(), [](DeviceSpec& d) {
    d.cores = 4;
    d.engines_per_core = 1;
    d.contexts_per_engine = 8;
  });
  const Inferred found = infer(log, device);
  INFO(found.problems << inference_text(found.inference));
  const auto round_robin =
      std::find_if(found.inference.candidates.begin(), found.inference.candidates.end(),
                   [](const RuleCandidate& one) { return to_yaml(one) == "{placement: round_robin}"; });
  REQUIRE(round_robin != found.inference.candidates.end());
  REQUIRE(round_robin->first_wrong);
  CHECK(round_robin->first_wrong->work_group == 6);
  CHECK(round_robin->first_wrong->line == 8);
  CHECK(round_robin->first_wrong->expected == 2U);
  CHECK(round_robin->first_wrong->seen == 3);
  CHECK(round_robin->inexact == std::vector<std::string>{"threads 1"});
  CHECK_THAT(inference_text(found.inference),
             Contains("first wrong: threads 1, work-group 6 (line 8): core 2 expected, 3 seen"));
}

TEST_CASE("a batch that a rule expects, and that the log does not have, is named as the core of the one before") {
  const DeviceSpec device = device_of_logs(1);
  const Inferred found = infer(log_on(device, workload_of({drawn_kernel(300, 2, 3)})), device);
  const auto batched =
      std::find_if(found.inference.candidates.begin(), found.inference.candidates.end(), [](const RuleCandidate& one) {
        return to_yaml(one).find("most_room, tie_order: evens_then_odds, batch: {work_groups: 2}") != std::string::npos;
      });
  INFO(found.problems << inference_text(found.inference));
  REQUIRE(batched != found.inference.candidates.end());
  REQUIRE(batched->first_wrong);
  CHECK(batched->first_wrong->work_group == 1);
  CHECK(batched->first_wrong->expected == 0U);
  CHECK(batched->first_wrong->seen == 2);
}
