#include "support/builders.hpp"
#include "support/scenarios.hpp"

#include <gdsim/run/internal_run_options.hpp>
#include <gdsim/scenario/read_scenario.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <memory>

using namespace gdsim;
using namespace gdsim::testing;

namespace {

using Waiting = std::span<const WaitingLaunch>;

/// The launch that was ready first.
struct FirstReady {
  std::optional<std::size_t> choose(Waiting) { return 0; }
};

/// The launch that was ready last.
struct LastReady {
  std::optional<std::size_t> choose(Waiting waiting) { return waiting.size() - 1; }
};

struct FewestLeft {
  std::optional<std::size_t> choose(Waiting waiting) {
    const auto fewer = [](const auto& a, const auto& b) { return a.work_groups_left < b.work_groups_left; };
    return static_cast<std::size_t>(std::min_element(waiting.begin(), waiting.end(), fewer) - waiting.begin());
  }
};

/// Each position in turn. Its memory belongs to one run.
struct PositionsInTurn {
  std::size_t next = 0;
  std::optional<std::size_t> choose(Waiting waiting) { return next++ % waiting.size(); }
};

/// A launch that does not wait.
struct BeyondWaiting {
  std::optional<std::size_t> choose(Waiting waiting) { return waiting.size(); }
};

struct NoLaunch {
  std::optional<std::size_t> choose(Waiting) { return std::nullopt; }
};

/// Records the launches that it is offered, and chooses the first.
struct QuestionLog {
  std::shared_ptr<std::vector<std::vector<WaitingLaunch>>> asked;
  std::optional<std::size_t> choose(Waiting waiting) {
    asked->emplace_back(waiting.begin(), waiting.end());
    return 0;
  }
};

/// One core that takes one work-group of 8 threads at a time.
DeviceSpec choosing(OwnKernelChoice own) {
  DeviceSpec device = one_core();
  device.dispatch.kernel_choice = KernelChoice::own;
  device.dispatch.own_kernel_choice = std::move(own);
  return device;
}

/// Work-groups of 1 us: three of launch 0, two of launch 1, one of launch 2.
Workload three_launches() {
  return workload_of(
      {kernel_of(3, 8, {compute(us(1))}), kernel_of(2, 8, {compute(us(1))}), kernel_of(1, 8, {compute(us(1))})});
}

/// By launch: when it ended.
std::vector<std::int64_t> ends(const RunRecord& record) {
  std::vector<std::int64_t> ends;
  for (const LaunchRecord& one : record.launches) ends.push_back(one.ended ? one.ended->count / us(1).count : -1);
  return ends;
}

std::vector<std::int64_t> ends_by(OwnKernelChoice own) {
  return ends(run_fully(choosing(std::move(own)), three_launches()).record);
}

}  // namespace

TEST_CASE("a kernel choice of the caller's names the launch that places its next work-group") {
  CHECK(ends_by({"first", FirstReady{}}) == std::vector<std::int64_t>{3, 5, 6});
  CHECK(ends_by({"last", LastReady{}}) == std::vector<std::int64_t>{6, 3, 1});
  CHECK(ends_by({"fewest_left", FewestLeft{}}) == std::vector<std::int64_t>{6, 3, 1});
}

TEST_CASE("a kernel choice of the caller's sees what each waiting launch has left") {
  const auto asked = std::make_shared<std::vector<std::vector<WaitingLaunch>>>();
  DeviceSpec device = choosing({"log", QuestionLog{asked}});
  Workload workload = three_launches();
  workload.launches[1].as_kernel().priority = 7;
  workload.launches[2].at = at(us(1));
  run_fully(device, workload);
  REQUIRE(asked->size() > 2);
  const std::vector<WaitingLaunch>& before = asked->front();
  REQUIRE(before.size() == 2);
  CHECK(before[0].launch == launch(0));
  CHECK(before[0].work_groups_left == 3);
  CHECK_FALSE(before[0].has_begun);
  CHECK(before[1].kernel == KernelId{1});
  CHECK(before[1].priority == 7);
  const std::vector<WaitingLaunch>& after = (*asked)[1];
  CHECK(after[0].work_groups_left == 2);
  CHECK(after[0].has_begun);
  for (const auto& waiting : *asked)
    for (const WaitingLaunch& one : waiting) CHECK(one.work_groups_left > 0);
  CHECK(asked->back().back().ready == at(us(1)));
}

TEST_CASE("a launch that could place nothing is not offered again in that turn") {
  const auto asked = std::make_shared<std::vector<std::vector<WaitingLaunch>>>();
  run_fully(choosing({"log", QuestionLog{asked}}), three_launches());
  // At 0: launch 0 places one, then each of the three is refused.
  REQUIRE(asked->size() > 4);
  for (std::size_t i = 1; i < 4; ++i) CHECK((*asked)[i].size() == 4 - i);
}

TEST_CASE("only launches that have begun are offered while no other may begin") {
  DeviceSpec device = choosing({"last", LastReady{}});
  device.dispatch.concurrent_kernels = 1;
  CHECK(ends(run_fully(device, three_launches()).record) == std::vector<std::int64_t>{6, 3, 1});
  Workload late = three_launches();
  late.launches[2].at = at(ns(1'500));
  CHECK(ends(run_fully(device, late).record) == std::vector<std::int64_t>{6, 2, 3});
}

TEST_CASE("a launch chosen by the caller pays its launch cost, and is offered again when that is paid") {
  DeviceSpec device = choosing({"last", LastReady{}});
  device.launch_cost = StepTime(us(10));
  const RunRecord record = run_fully(device, three_launches()).record;
  CHECK(record.outcome == Outcome::completed);
  for (const LaunchRecord& one : record.launches) {
    CHECK(*one.begun == at(us(0)));
    CHECK(*one.first_dispatched >= at(us(10)));
  }
}

TEST_CASE("each run asks a copy of a caller's kernel choice of its own") {
  const DeviceSpec device = choosing({"in_turn", PositionsInTurn{1}});
  const Compiled compiled = gdsim::compile(device, three_launches()).value();
  const std::vector<std::int64_t> first = ends(gdsim::simulate(compiled).record);
  CHECK(ends(gdsim::simulate(compiled).record) == first);
}

TEST_CASE("a caller's kernel choice that names a launch which does not wait ends the run with its name") {
  CHECK_THROWS_WITH(ends_by({"beyond", BeyondWaiting{}}),
                    Catch::Contains("'beyond' chose position 3 of 3 launches, numbered from 0"));
}

TEST_CASE("where a caller's kernel choice names no launch, the run stalls") {
  const FullRun run = run_fully(choosing({"none", NoLaunch{}}), three_launches());
  CHECK(run.record.outcome == Outcome::deadlock);
  CHECK(run.record.deadlock.launches.size() == 3);
}

TEST_CASE("work-groups that are spread or partly placed follow a caller's kernel choice to their end") {
  for (const Admission admission : {Admission::partial, Admission::spread}) {
    DeviceSpec device = choosing({"last", LastReady{}});
    device.cores = 2;
    device.dispatch.admission = admission;
    Workload workload = three_launches();
    for (Kernel& kernel : workload.kernels) {
      kernel.range.local[2] = 6 * kernel.sub_group;
      kernel.range.global[2] = 5 * kernel.range.local[2];
    }
    const RunRecord record = run_fully(device, workload).record;
    CHECK(record.outcome == Outcome::completed);
    CHECK(record.work_groups_ended() == 15);
  }
}

TEST_CASE("an own kernel choice that is missing, or not used, is an issue") {
  DeviceSpec device = choosing({"first", FirstReady{}});
  device.dispatch.own_kernel_choice.reset();
  Issues issues = gdsim::compile(device, three_launches()).issues();
  REQUIRE(issues.size() == 1);
  CHECK(issues[0].path == "dispatch.own_kernel_choice");
  CHECK(issues[0].message == "is needed, because `kernel_choice` is KernelChoice::own");
  device = choosing({"first", FirstReady{}});
  device.dispatch.kernel_choice = KernelChoice::head_only;
  issues = gdsim::compile(device, three_launches()).issues();
  REQUIRE(issues.size() == 1);
  CHECK(issues[0].message == "'first' is not used, because `kernel_choice` is not KernelChoice::own");
}

TEST_CASE("a scenario file names a kernel choice that its reader was given, and runs by it") {
  const std::string file = plain_scenario("  - {kernel: k, name: second}\ndispatch: {kernel_choice: last}\n");
  CHECK(read_text(file).problems.find("is 'last'; known: head_only") != std::string::npos);
  ReadOptions options;
  options.own_kernel_choices = {{"last", LastReady{}}};
  const ReadText read = read_text(file, options);
  REQUIRE(read.problems.empty());
  const Scenario& scenario = read.scenario();
  CHECK(scenario.dispatch.kernel_choice == KernelChoice::own);
  const RunRecord record = gdsim::simulate(compile_scenario(scenario), run_options_of(scenario)).record;
  CHECK(*record.launches[1].ended < *record.launches[0].ended);
}

TEST_CASE("names of kernel choices that cannot be told apart are problems") {
  ReadOptions options;
  options.own_kernel_choices = {
      {"last", LastReady{}}, {"last", LastReady{}}, {"round_robin", LastReady{}}, {"", LastReady{}}};
  const std::string problems = read_text(plain_scenario(), options).problems;
  CHECK(problems.find("own_kernel_choices[1]: 'last' is the name of another kernel choice") != std::string::npos);
  CHECK(problems.find("own_kernel_choices[2]: 'round_robin' is the name of another kernel choice") !=
        std::string::npos);
  CHECK(problems.find("own_kernel_choices[3]: has no name") != std::string::npos);
}
