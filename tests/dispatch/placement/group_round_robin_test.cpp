#include "support/builders.hpp"

#include <gdsim/dispatch/placement/placements.hpp>

#include <catch2/catch.hpp>

using namespace gdsim;
using namespace gdsim::testing;

namespace {

std::vector<std::size_t> choices(const CoreGroups& groups, std::uint32_t cores, IndexSet offered, int count) {
  DeviceSpec device = small_device();
  device.cores = cores;
  device.core_groups = groups;
  GroupRoundRobin placement(device);
  std::vector<std::size_t> chosen;
  for (; count > 0; --count) chosen.push_back(*placement.choose(offered));
  return chosen;
}

IndexSet all(std::size_t cores) {
  IndexSet set(cores);
  for (std::size_t i = 0; i < cores; ++i) set.insert(i);
  return set;
}

using Chosen = std::vector<std::size_t>;

}  // namespace

TEST_CASE("work-groups are dealt out over the outermost groups first, then over those within") {
  // 2 dies of 2 engines of 2 cores.
  CHECK(choices({{"die", 2}, {"engine", 2}}, 8, all(8), 9) == Chosen{0, 4, 2, 6, 1, 5, 3, 7, 0});
}

TEST_CASE("a group without candidates is skipped") {
  IndexSet offered(8);
  for (const std::size_t core : {1, 5, 6, 7}) offered.insert(core);
  CHECK(choices({{"die", 2}}, 8, offered, 4) == Chosen{1, 5, 1, 6});
}

TEST_CASE("groups may differ by one core") {
  CHECK(choices({{"engine", 3}}, 7, all(7), 7) == Chosen{0, 2, 4, 1, 3, 5, 0});
}

TEST_CASE("without groups it is a round robin over cores") {
  CHECK(choices({}, 3, all(3), 4) == Chosen{0, 1, 2, 0});
  CHECK(choices({}, 1, all(1), 2) == Chosen{0, 0});
}
