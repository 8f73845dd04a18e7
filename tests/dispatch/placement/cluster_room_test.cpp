#include "support/builders.hpp"
#include "support/random_values.hpp"
#include <gdsim/dispatch/placement/placements.hpp>

#include <catch2/catch.hpp>
#include <rapidcheck/catch.h>

#include <cstdint>
#include <vector>

using namespace gdsim;
using namespace gdsim::testing;

TEST_CASE("a group of cores takes a cluster if it has as many cores with room, and it is said when that changes") {
  rc::prop("against a count over the group", [] {
    DeviceSpec device = small_device();
    device.cores = 6;
    device.core_groups = {{"gpc", 0, {1, 2, 3}}};
    device.clusters = ClusterRule{"gpc", 8, {}};
    const std::vector<std::size_t> groups{0, 1, 1, 2, 2, 2};
    ClusterRoom room(device, device.dispatch, {0, 6, {}});
    std::vector<bool> has_room(6, false);
    const auto size = between<std::uint64_t>(2, 4);
    const auto fits = [&](std::size_t core) {
      std::uint64_t count = 0;
      for (std::size_t other = 0; other < 6; ++other) count += groups[other] == groups[core] && has_room[other] ? 1 : 0;
      return count >= size;
    };
    for (int step = between(0, 40); step > 0; --step) {
      const auto changed = between<std::uint32_t>(0, 5);
      const bool could = fits(changed);
      has_room[changed] = one_in(2);
      RC_ASSERT(room.set(core(changed), has_room[changed], size) == (fits(changed) != could));
      for (std::uint32_t one = 0; one < 6; ++one) {
        RC_ASSERT(room.can_take(core(one), size) == fits(one));
        RC_ASSERT(room.has_room(core(one)) == has_room[one]);
        for (const CoreId other : room.together(core(one))) RC_ASSERT(groups[index_of(other)] == groups[one]);
        RC_ASSERT(room.together(core(one)).size() == groups[one] + 1);
      }
    }
  });
}
