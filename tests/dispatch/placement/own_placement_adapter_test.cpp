#include "support/builders.hpp"
#include "support/scenarios.hpp"
#include <gdsim/record/wait_log.hpp>
#include <gdsim/scenario/read_scenario.hpp>

#include <catch2/catch.hpp>

using namespace gdsim;
using namespace gdsim::testing;

namespace {

/// The last of the cores that are offered.
struct Last {
  std::optional<std::size_t> choose(std::span<const CoreId> offered) { return offered.size() - 1; }
};

/// The core with the most threads on which the work-group fits.
struct Fullest {
  std::uint64_t cost(const CoreLoad& core) const { return core.empty_room - core.room; }
};

/// A core that is not offered.
struct Beyond {
  std::optional<std::size_t> choose(std::span<const CoreId> offered) { return offered.size(); }
};

/// Each core in turn. Its memory belongs to one run.
struct InTurn {
  std::uint64_t next = 0;
  std::optional<std::size_t> choose(std::span<const CoreId> offered) { return next++ % offered.size(); }
};

DeviceSpec placing(OwnPlacement own) {
  DeviceSpec device = small_device();
  device.dispatch.placement = own.name();
  device.dispatch.own_placements = {std::move(own)};
  return device;
}

Workload four_groups() { return workload_of({kernel_of(4, 2, {compute(us(1))})}); }

std::vector<std::uint32_t> cores_by(OwnPlacement own) {
  return cores_of(run_fully(placing(std::move(own)), four_groups()));
}

}  // namespace

TEST_CASE("a placement of the caller's chooses among the cores on which the work-group fits") {
  CHECK(cores_by({"last", Last{}}) == std::vector<std::uint32_t>{1, 1, 1, 1});
  CHECK(cores_by({"in_turn", InTurn{}}) == std::vector<std::uint32_t>{0, 1, 0, 1});
}

TEST_CASE("of the cores, those of the lowest cost of a caller's placement are offered") {
  // As least loaded, by the room that is taken.
  CHECK(cores_by({"fullest", Fullest{}}) == std::vector<std::uint32_t>{0, 1, 0, 1});
}

TEST_CASE("each run asks a copy of a caller's placement of its own") {
  const DeviceSpec device = placing({"in_turn", InTurn{1}});
  const Compiled compiled = gdsim::compile(device, workload_of({kernel_of(3, 2, {compute(us(1))})})).value();
  for (int run = 0; run < 2; ++run) {
    WorkGroupLog log(1);
    RunOptions options;
    options.observers = {&log};
    gdsim::simulate(compiled, options);
    std::vector<std::uint32_t> cores;
    for (const auto& one : log.records_of(LaunchId{0})) cores.push_back(static_cast<std::uint32_t>(one.core));
    CHECK(cores == std::vector<std::uint32_t>{1, 0, 1});
  }
}

TEST_CASE("a caller's placement that chooses a core which is not offered ends the run with its name") {
  CHECK_THROWS_WITH(cores_by({"beyond", Beyond{}}),
                    Catch::Contains("'beyond' chose position 2 of 2 cores, numbered from 0"));
}

TEST_CASE("names of placements that cannot be told apart are issues") {
  DeviceSpec device = placing({"last", Last{}});
  device.dispatch.own_placements = {{"last", Last{}}, {"last", Last{}}, {"round_robin", Last{}}, {"", Last{}}};
  const Issues issues = gdsim::compile(device, four_groups()).issues();
  REQUIRE(issues.size() == 3);
  CHECK(issues[0].path == "dispatch.own_placements[1]");
  CHECK(issues[1].message == "'round_robin' is the name of another placement");
  CHECK(issues[2].message == "has no name");
  ReadOptions options;
  options.own_placements = device.dispatch.own_placements;
  CHECK(read_text(plain_scenario(), options).problems.find("dispatch.own_placements[1]") != std::string::npos);
}

TEST_CASE("a scenario file names a placement that its reader was given, and runs by it") {
  const std::string file = plain_scenario("dispatch: {placement: last}\n");
  CHECK(read_text(file).problems.find("is 'last'; known: fill_first") != std::string::npos);
  ReadOptions options;
  options.own_placements = {{"last", Last{}}};
  const ReadText read = read_text(file, options);
  REQUIRE(read.problems.empty());
  const Scenario& scenario = read.scenario();
  const FullRun run = run_fully(scenario.device, scenario.dispatch, scenario.workload);
  CHECK(cores_of(run).front() + 1 == scenario.device.cores);
  CHECK(gdsim::simulate(compile_scenario(scenario), run_options_of(scenario)).record.end == run.record.end);
}
