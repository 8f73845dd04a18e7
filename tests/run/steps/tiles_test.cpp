#include "support/builders.hpp"

#include <gdsim/model/draws.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <vector>

// Persistent kernels: work-groups and threads that take tiles from a list.

using namespace gdsim;
using namespace gdsim::testing;

namespace {

/// A list of `count` tiles of 10 ps.
Tiles tiles_of(std::uint64_t count, TileTake take, Program body = {compute(ps(10))}) {
  Tiles tiles;
  tiles.list = "work";
  tiles.count = count;
  tiles.take = take;
  tiles.body = std::move(body);
  return tiles;
}

/// A list of tiles that take these numbers of picoseconds.
Tiles tiles_of_times(TileTake take, const std::vector<std::uint64_t>& times) {
  Tiles tiles = tiles_of(times.size(), take, {Compute{picoseconds(times.front())}});
  tiles.of_tile.push_back(0);
  for (std::size_t i = 1; i < times.size(); ++i) {
    tiles.others.push_back({Compute{picoseconds(times[i])}});
    tiles.of_tile.push_back(static_cast<std::uint32_t>(i));
  }
  return tiles;
}

/// When the threads of each work-group of a launch have ended, in picoseconds, by number.
std::vector<std::int64_t> ends(const FullRun& run, LaunchId launch = LaunchId{0}) {
  std::vector<std::int64_t> all;
  for (const WorkGroupRecord& life : run.work_groups.records_of(launch))
    all.push_back(since_start(SimTime(*life.ended)).count);
  return all;
}

std::vector<std::int64_t> ends_of(const DeviceSpec& device, const Workload& workload) {
  return ends(run_fully(device, workload));
}

std::vector<std::int64_t> ends_of(std::uint64_t groups, std::uint64_t threads, Program program) {
  return ends_of(one_core(), workload_of({kernel_of(groups, threads, std::move(program))}));
}

using Times = std::vector<std::int64_t>;

/// The tiles that a run keeps: `WORK-GROUP TILE BEGIN-END` in picoseconds.
std::vector<std::string> kept_tiles(std::uint64_t groups, std::uint64_t threads, Program program,
                                    InternalRunOptions options = {}, std::size_t max = 100) {
  const DeviceSpec device = one_core();
  TileLog log(max);
  options.tile_log = &log;
  simulate(device, device.dispatch, workload_of({kernel_of(groups, threads, std::move(program))}), options);
  std::vector<std::string> kept;
  for (const TileRecord& tile : log.tiles())
    kept.push_back(std::to_string(number_of(tile.work_group)) + " " + std::to_string(tile.tile) + " " +
                   std::to_string(since_start(tile.begin).count) + "-" +
                   (tile.ended ? std::to_string(since_start(SimTime(*tile.ended)).count) : ""));
  if (log.has_too_many()) kept.push_back("too many");
  return kept;
}

std::vector<std::string> refusals_of(const Workload& workload) {
  const DeviceSpec device = one_core();
  const Compilation compilation = compile(device, device.dispatch, workload);
  std::vector<std::string> found;
  for (const Issue& issue : compilation.issues()) found.push_back(issue.path + ": " + issue.message);
  return found;
}

std::vector<std::string> refusals_of(Program program) {
  return refusals_of(workload_of({kernel_of(2, 2, std::move(program))}));
}

}  // namespace

TEST_CASE("tiles that are assigned by number go to work-groups in turn, and cost nothing when there are no more") {
  CHECK(ends_of(2, 1, {tiles_of(5, TileTake::by_number)}) == Times{30, 20});
  CHECK(ends_of(4, 1, {compute(ps(1)), tiles_of(2, TileTake::by_number)}) == Times{11, 11, 1, 1});
  Tiles tiles = tiles_of_times(TileTake::by_number, {100, 1, 100, 1, 100, 1});
  tiles.cost = picoseconds(7);
  CHECK(ends_of(2, 1, {tiles, compute(ps(1000))}) == Times{300 + 21 + 1000, 3 + 21 + 1000});
}

TEST_CASE("tiles that are taken on demand go to the taker that is done first, at one instant to the lower work-group") {
  // 0 takes 50; 1 takes 10, 20, 30 (done at 60); at 50, 0 takes 5 (done at 55), and at 55 and 60 nothing is left.
  CHECK(ends_of(2, 1, {tiles_of_times(TileTake::on_demand, {50, 10, 20, 30, 5})}) == Times{55, 60});
  CHECK(ends_of(3, 1, {tiles_of_times(TileTake::on_demand, {1, 2, 3})}) == Times{1, 2, 3});
}

TEST_CASE("a take on demand costs its time also if it finds no tile") {
  Tiles tiles = tiles_of(2, TileTake::on_demand);
  tiles.cost = picoseconds(3);
  CHECK(ends_of(2, 1, {tiles}) == Times{16, 16});
  CHECK(ends_of(1, 1, {tiles, compute(ps(100))}) == Times{3 + 10 + 3 + 10 + 3 + 100});
}

TEST_CASE(
    "all threads of a work-group arrive at a barrier before it takes a tile on demand, and that costs what a barrier "
    "does") {
  const Step uneven = Only{{{0, 0}}, {compute(ps(30))}};
  const Tiles tiles = tiles_of(2, TileTake::on_demand, {compute(ps(10)), uneven});
  CHECK(ends_of(1, 2, {tiles}) == Times{80});
  DeviceSpec device = one_core();
  device.barrier_cost = {picoseconds(4), picoseconds(1)};
  CHECK(ends_of(device, workload_of({kernel_of(1, 2, {tiles})})) == Times{6 + 40 + 6 + 40 + 6});
  // Assigned by number, no thread waits for another: thread 1 is done after 20.
  const FullRun run = run_fully(
      one_core(), workload_of({kernel_of(1, 2, {tiles_of(2, TileTake::by_number, {compute(ps(10)), uneven})})}));
  CHECK(phase_threads(run.record) == std::vector<std::uint64_t>{2, 1});
  CHECK(run.record.duration() == ps(80));
}

TEST_CASE("a kernel that takes tiles on demand by work-group needs a barrier, another one does not") {
  DeviceSpec device = one_core();
  device.barriers_per_core = 1;
  Tiles tiles = tiles_of(100, TileTake::on_demand);
  const auto peak = [&] { return run_fully(device, workload_of({kernel_of(4, 1, {tiles})})).record.peak_resident; };
  CHECK(peak() == 1);
  tiles.per = TileTaker::thread;
  CHECK(peak() == 4);
}

TEST_CASE("single threads take tiles, numbered on from work-group to work-group") {
  Tiles tiles = tiles_of_times(TileTake::by_number, {1, 2, 3, 4, 5, 6});
  tiles.per = TileTaker::thread;
  CHECK(ends_of(2, 2, {tiles}) == Times{2 + 6, 4});
  tiles.take = TileTake::on_demand;
  // Threads have 1, 2, 3, 4; the first is done at 1 and takes 5, the second at 2 and takes 6.
  CHECK(ends_of(2, 2, {tiles}) == Times{2 + 6, 4});
}

TEST_CASE("barriers in bodies count on from tile to tile, however often each body has them, and behind the list") {
  const auto rounds = [](std::uint64_t count) {
    return Program{Loop{count, {compute(ps(1)), Only{{{0, 0}}, {compute(ps(2)), Signal{"s"}}}, Wait{"s"}, barrier()}}};
  };
  for (const TileTake take : {TileTake::by_number, TileTake::on_demand}) {
    Tiles tiles = tiles_of(4, take, rounds(1));
    for (const std::uint64_t count : {5, 2, 3}) tiles.others.push_back(rounds(count));
    tiles.of_tile = {0, 1, 2, 3};
    CHECK(ends_of(1, 2, {compute(ps(1)), barrier(), tiles, barrier(), compute(ps(1))}) == Times{1 + 3 * 11 + 1});
  }
}

TEST_CASE("a list belongs to a launch, but one that several kernels name to all their launches") {
  const Tiles tiles = tiles_of(4, TileTake::on_demand);
  Workload workload = workload_of({kernel_of(1, 1, {tiles})});
  workload.launches.push_back(workload.launches.front());
  workload.launches.back().name = "again";
  CHECK(run_fully(one_core(), workload).record.launches[1].ended == at(ps(40)));
  workload = workload_of({kernel_of(1, 1, {tiles}), kernel_of(1, 1, {compute(ps(5)), tiles})});
  const FullRun shared = run_fully(one_core(), workload);
  CHECK(ends(shared, LaunchId{0}) == Times{20});
  CHECK(ends(shared, LaunchId{1}) == Times{25});
}

TEST_CASE("factors are drawn for each tile, whichever work-group takes it, and a written one of its work-group wins") {
  Kernel kernel = kernel_of(2, 1, {tiles_of(3, TileTake::on_demand, {compute(ns(1000))})});
  kernel.variation = {};
  const Draw draw{Distribution::uniform, Decimal{1, -1}, DrawPer::work_group, 7};
  kernel.variation.draw = draw;
  const auto length = [&](std::uint64_t tile) {
    const auto factor = FactorDraw(draw).factor({LaunchId{0}, WorkGroupId{(std::uint64_t{1} << 63) + tile}, 0});
    return static_cast<std::int64_t>((static_cast<std::uint64_t>(factor) + 500) / 1'000);  // ps of 1 us
  };
  const bool is_first = length(0) < length(1);
  Times expected{length(0), length(1)};
  expected[is_first ? 0 : 1] += length(2);
  CHECK(ends_of(one_core(), workload_of({kernel})) == expected);
  kernel.variation.factors = {{WorkGroupId{0}, Decimal::whole(4)}};
  CHECK(ends_of(one_core(), workload_of({kernel})) == Times{4'000'000, length(1) + length(2)});
}

TEST_CASE("what a step with tiles may not have is refused, with its place") {
  const Tiles good = tiles_of(4, TileTake::on_demand);
  CHECK(refusals_of({good}).empty());
  const auto is_refused = [](Program program, const std::string& why) {
    const auto found = refusals_of(std::move(program));
    INFO(why);
    REQUIRE(found.size() == 1);
    CHECK(found.front().starts_with(why));
  };
  is_refused({Loop{2, {good}}}, "kernels[0].program[0].loop.body[0]: tiles are taken at the top level of a program");
  is_refused({Only{{{0, 0}}, {good}}, compute(ps(1))},
             "kernels[0].program[0].only.body[0]: tiles are taken at the top");
  is_refused({good, good}, "kernels[0].program[1].tiles.list: another step of the program has the list 'work'");
  is_refused({tiles_of(4, TileTake::on_demand, {barrier()})},
             "kernels[0].program[0]: nothing in the body of the tiles takes time");
  is_refused({tiles_of(4, TileTake::on_demand, {compute(ps(1)), GridBarrier{}})},
             "kernels[0].program[0].tiles.body[1]: work-groups take different numbers of tiles");
  is_refused({tiles_of(0, TileTake::on_demand)}, "kernels[0].program[0].tiles.count: ");
  is_refused({tiles_of(kMaxTiles + 1, TileTake::on_demand)}, "kernels[0].program[0].tiles.count: ");
  Tiles by_thread = good;
  by_thread.per = TileTaker::thread;
  CHECK(refusals_of({by_thread}).empty());
  by_thread.body.push_back(barrier());
  is_refused({by_thread}, "kernels[0].program[0].tiles.body[1]: single threads take the tiles, so they cannot wait");
  by_thread.body.back() = Only{{{0, 0}}, {compute(ps(1))}};
  is_refused({by_thread}, "kernels[0].program[0].tiles.body[1]: single threads take the tiles, so each has to execute");
  Tiles differing = tiles_of_times(TileTake::by_number, {1, 2, 3});
  differing.others[1] = {Compute{picoseconds(0)}};
  is_refused({differing}, "kernels[0].program[0].tiles.body[0].compute: compute must be more than 0 (tile 2)");
  differing.others[1] = {compute(ps(1)), barrier()};
  is_refused({differing}, "kernels[0].program[0].tiles: has a body with other steps");
}

TEST_CASE("kernels that share a list say the same of it, and take its tiles on demand") {
  const auto refused = refusals_of(workload_of(
      {kernel_of(1, 1, {tiles_of(4, TileTake::on_demand)}), kernel_of(1, 1, {tiles_of(5, TileTake::on_demand)})}));
  REQUIRE(refused.size() == 1);
  CHECK(refused.front() ==
        "kernels[1].program[0].tiles.count: shares the list 'work' with the kernel 'k0', where it has 4 tiles, not 5; "
        "write the same count, or another name");
  CHECK(refusals_of(workload_of({kernel_of(1, 1, {tiles_of(4, TileTake::on_demand)}),
                                 kernel_of(1, 1, {tiles_of(4, TileTake::by_number)})}))
            .size() == 1);
}

TEST_CASE("tiles assigned to threads by number need work-groups of one size") {
  Tiles tiles = tiles_of(4, TileTake::by_number);
  tiles.per = TileTaker::thread;
  Kernel kernel = kernel_of(2, 2, {tiles});
  kernel.edge_groups = EdgeGroups::smaller;
  kernel.range.global[2] -= 8;
  const auto refused = refusals_of(workload_of({kernel}));
  REQUIRE(refused.size() == 1);
  CHECK(refused.front().starts_with("kernels[0].program[0].tiles.per: some work-groups have fewer threads"));
}

TEST_CASE("a run can keep who took which tile, from when to when, its cost included") {
  CHECK(kept_tiles(2, 1, {compute(ps(5)), tiles_of(3, TileTake::by_number)}) ==
        std::vector<std::string>{"0 0 5-15", "1 1 5-15", "0 2 15-25"});
  Tiles tiles = tiles_of_times(TileTake::on_demand, {50, 10, 20, 30, 5});
  tiles.cost = picoseconds(1);
  CHECK(kept_tiles(2, 1, {tiles}) ==
        std::vector<std::string>{"0 0 0-51", "1 1 0-11", "1 2 11-32", "1 3 32-63", "0 4 51-57"});
}

TEST_CASE("a tile that threads of a work-group execute one after another is kept once, from the first to the last") {
  Tiles tiles = tiles_of(2, TileTake::by_number, {compute(ps(10)), barrier()});
  CHECK(kept_tiles(1, 3, {tiles}) == std::vector<std::string>{"0 0 0-10", "0 1 10-20"});
}

TEST_CASE("a tile that had not ended with the run has no end, and too many tiles are not kept at all") {
  InternalRunOptions options;
  options.bounds.time = SimTime{15};
  CHECK(kept_tiles(1, 1, {tiles_of(3, TileTake::by_number)}, options) ==
        std::vector<std::string>{"0 0 0-10", "0 1 10-"});
  CHECK(kept_tiles(1, 1, {tiles_of(3, TileTake::by_number)}, {}, 3).size() == 3);
  CHECK(kept_tiles(1, 1, {tiles_of(4, TileTake::by_number)}, {}, 3) == std::vector<std::string>{"too many"});
}
