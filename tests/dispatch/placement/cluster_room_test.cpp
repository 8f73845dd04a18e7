#include "support/builders.hpp"
#include "support/random_values.hpp"

#include <gdsim/dispatch/placement/cluster_room.hpp>

#include <rapidcheck/catch.h>
#include <catch2/catch.hpp>

#include <cstdint>
#include <vector>

using namespace gdsim;
using namespace gdsim::testing;

TEST_CASE("a group of cores takes a cluster if what its cores hold adds up to it, and it is said when that changes") {
  rc::prop("against a sum over the group", [] {
    DeviceSpec device = small_device();
    device.cores = 6;
    device.core_groups = {{"gpc", 0, {1, 2, 3}}};
    device.clusters = ClusterRule{"gpc", 8, {}};
    const std::vector<std::size_t> groups{0, 1, 1, 2, 2, 2};
    ClusterRoom room(device, device.dispatch, {0, 6, {}});
    std::vector<std::uint64_t> held(6, 0);
    const auto size = between<std::uint64_t>(2, 8);
    const auto fits = [&](std::size_t core) {
      std::uint64_t sum = 0;
      for (std::size_t other = 0; other < 6; ++other) sum += groups[other] == groups[core] ? held[other] : 0;
      return sum >= size;
    };
    for (int step = between(0, 40); step > 0; --step) {
      const auto changed = between<std::uint32_t>(0, 5);
      const bool could = fits(changed);
      held[changed] = between<std::uint64_t>(0, 5);
      RC_ASSERT(room.set(core(changed), held[changed], size) == (fits(changed) != could));
      for (std::uint32_t one = 0; one < 6; ++one) {
        RC_ASSERT(room.can_take(core(one), size) == fits(one));
        RC_ASSERT(room.on(core(one)) == held[one]);
        for (const CoreId other : room.together(core(one))) RC_ASSERT(groups[index_of(other)] == groups[one]);
        RC_ASSERT(room.together(core(one)).size() == groups[one] + 1);
      }
    }
  });
}
