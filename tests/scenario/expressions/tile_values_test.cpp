#include "support/builders.hpp"
#include "support/scenarios.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

// Expressions of the number of a tile: in counts of loops and amounts of steps in the body of `tiles`.

using namespace gdsim;
using namespace gdsim::testing;

namespace {

std::string with_tiles(const std::string& tiles) {
  return "scenario: s\ndevice: tiny\nparameters: {n: 4}\nkernels:\n  k:\n    global: 16\n    local: 8\n"
         "    sub_group: 8\n    program: [tiles: {list: l, " +
         tiles + "}]\nlaunches: [kernel: k]\n";
}

std::string with_body(const std::string& body) { return with_tiles("count: = n, take: static, body: [" + body + "]"); }

Tiles tiles_in(const ReadText& read) {
  INFO(read.problems);
  REQUIRE(read.problems.empty());
  return std::get<Tiles>(read.scenario().workload.kernels.front().program.front());
}

const Program& body_of_tile(const Tiles& tiles, std::size_t tile) {
  return tiles.of_tile.empty() ? tiles.body : tiles.body_of(tiles.of_tile.at(tile));
}

/// How often the loop behind the first step of the body goes round, by tile.
std::vector<std::uint64_t> tile_counts(const std::string& expression) {
  const auto read = read_text(with_body("compute: 1 ns, loop: {count: \"= " + expression +
                                        "\", body: [compute: 1 ns, barrier]}, compute: 1 ns"));
  std::vector<std::uint64_t> found;
  if (!read.problems.empty()) return found;
  const Tiles tiles = tiles_in(read);
  for (std::uint64_t i = 0; i < tiles.count; ++i) found.push_back(std::get<Loop>(body_of_tile(tiles, i).at(1)).count);
  return found;
}

std::string problems_of_tiles(const std::string& body) { return read_text(with_body(body)).problems; }

}  // namespace

TEST_CASE("a step of the body of tiles may do more for one tile than for another, by its number") {
  const Tiles tiles = tiles_in(read_text(with_body("compute: = tile + 1 us, compute: = 2 * tile + 1 ns")));
  REQUIRE(tiles.body_count() == 4);
  CHECK(to_text(std::get<Compute>(body_of_tile(tiles, 3).at(1)).time.amount) == "7000");
  CHECK(to_text(std::get<Compute>(body_of_tile(tiles, 3).at(0)).time.amount) == "4000000");
}

TEST_CASE("tiles that do the same have one body") {
  const Tiles tiles = tiles_in(read_text(with_body("compute: \"= mod(tile, 2) + 1 us\"")));
  CHECK(tiles.body_count() == 2);
  CHECK(tiles.of_tile == std::vector<std::uint32_t>{0, 1, 0, 1});
  CHECK(tiles_in(read_text(with_body("compute: 1 us"))).of_tile.empty());
}

TEST_CASE("a list is read as it is written") {
  const Tiles tiles =
      tiles_in(read_text(with_tiles("count: 7, take: atomic, per: thread, cost: 40 ns, body: [compute: 1 us]")));
  CHECK(tiles.list == "l");
  CHECK(tiles.count == 7);
  CHECK(tiles.take == TileTake::on_demand);
  CHECK(tiles.per == TileTaker::thread);
  CHECK(to_text(tiles.cost.amount) == "40000");
}

TEST_CASE("what cannot be read of tiles is reported with its place, and with a tile that has it") {
  CHECK_THAT(problems_of_tiles("compute: = tile us"), Catch::Contains("compute must be more than 0 (tile 0)"));
  CHECK_THAT(problems_of_tiles("compute: 1 us, slm: {accesses: = 6 / (tile + 1)}"), Catch::Contains("(tile 3)"));
  CHECK_THAT(problems_of_tiles("compute: = 1 / (tile - 3) us"), Catch::Contains("for tile 3, it divides by 0"));
  CHECK_THAT(problems_of_tiles("compute: = tile + group us"),
             Catch::Contains("'group' depends on the work-group; what is done for a tile may depend on `tile`"));
  CHECK_THAT(problems_of_tiles("compute: = tiles us"), Catch::Contains("'tiles' is no parameter"));
  CHECK_THAT(read_text(with_tiles("count: = tile, take: static, body: [compute: 1 us]")).problems,
             Catch::Contains("'tile' is the number of a tile; it may stand only in loop counts and step amounts"));
  CHECK_THAT(read_text(with_tiles("count: 0, take: static, body: [compute: 1 us]")).problems,
             Catch::Contains("count: '0'"));
  CHECK_THAT(read_text(with_tiles("count: 1, take: dynamic, body: [compute: 1 us]")).problems,
             Catch::Contains("take: is 'dynamic'; known: static, atomic"));
  CHECK_THAT(read_text(with_tiles("count: 1, body: [compute: 1 us]")).problems,
             Catch::Contains("tiles: the key 'take' is missing"));
  CHECK_THAT(
      read_text(with_tiles("count: 5000, take: static, body: [compute: = tile + 1 us]")).problems,
      Catch::Contains("up to tile 4096, there are more than 4096 different bodies; let some tiles do the same, as in "
                      "`= mod(tile, 4096)`"));
}

TEST_CASE("a count in the body may come to 0 for some tiles") {
  CHECK(tile_counts("tile - tile") == std::vector<std::uint64_t>{0, 0, 0, 0});
  CHECK(tile_counts("2 * tile") == std::vector<std::uint64_t>{0, 2, 4, 6});
}

TEST_CASE("a parameter that is called tile keeps its meaning") {
  std::string text = with_body("compute: = tile us");
  const std::string parameters = "{n: 4}";
  text.replace(text.find(parameters), parameters.size(), "{n: 4, tile: 3}");
  CHECK(tiles_in(read_text(text)).body_count() == 1);
}
