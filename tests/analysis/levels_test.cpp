#include <gdsim/analysis/levels.hpp>

#include "support/builders.hpp"

#include <catch2/catch.hpp>

#include <cstdint>
#include <vector>

using namespace gdsim;
using namespace gdsim::testing;

namespace {

CorePoint point(std::int64_t time, std::uint32_t number, std::uint32_t threads, std::uint32_t running) {
  return {gdsim::testing::at(us(time)), core(number), {threads, running, 1, {}}};
}

/// A level as two numbers.
struct Pair {
  std::int64_t time;
  std::uint64_t value;
  bool operator==(const Pair&) const = default;
};

std::vector<Pair> pairs(const ChangePoints<Level>& levels) {
  std::vector<Pair> all;
  for (const Level& level : levels) all.push_back({since_start(level.time).count / 1'000'000, level.value});
  return all;
}

}  // namespace

TEST_CASE("a group of cores holds what its cores hold together, at each instant once") {
  ChangePoints<CorePoint> points;
  for (const CorePoint& one : {point(0, 0, 1, 1), point(0, 1, 2, 1), point(0, 2, 4, 4), point(3, 1, 0, 0),
                               point(3, 2, 5, 0), point(7, 0, 0, 0)})
    points.push_back(one);
  const std::vector<CoreGroup> groups{{"die", 0, 0, 2}, {"die", 1, 2, 3}, {"all", 0, 0, 3}};
  const auto levels = core_group_levels(points, 3, groups);
  REQUIRE(levels.size() == 3);
  CHECK(pairs(levels[0].resident) == std::vector<Pair>{{0, 3}, {3, 1}, {7, 0}});
  CHECK(pairs(levels[0].running) == std::vector<Pair>{{0, 2}, {3, 1}, {7, 0}});
  CHECK(pairs(levels[1].resident) == std::vector<Pair>{{0, 4}, {3, 5}});
  CHECK(pairs(levels[1].running) == std::vector<Pair>{{0, 4}, {3, 0}});
  CHECK(pairs(levels[2].resident) == std::vector<Pair>{{0, 7}, {3, 6}, {7, 5}});
}

TEST_CASE("groups of a device are numbered through it, the outermost level first") {
  DeviceSpec device = small_device();
  CHECK(all_core_groups(device).empty());
  device.cores = 5;
  device.core_groups = {{"die", 0, {3, 2}}, {"pair", 2, {}}};
  const auto groups = all_core_groups(device);
  REQUIRE(groups.size() == 6);
  CHECK((groups[1].level == "die" && groups[1].number == 1 && groups[1].first == 3 && groups[1].last == 5));
  CHECK((groups[3].level == "pair" && groups[3].number == 1 && groups[3].first == 1 && groups[3].last == 3));
  CHECK(groups[3].cores() == 2);
}
