#include <gdsim/store/point_store.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <vector>

using namespace gdsim;

namespace {

/// The cost of each shard if point i costs `cost(i)`.
template <class Cost>
std::vector<std::uint64_t> loads(std::uint64_t points, std::uint64_t shards, Cost cost) {
  std::vector<std::uint64_t> sums(shards, 0);
  for (std::uint64_t place = 0; place < points; ++place) sums[shard_of(place, shards) - 1] += cost(place);
  return sums;
}

}  // namespace

TEST_CASE("of as many points in a row as there are shards each shard runs one") {
  for (const std::uint64_t shards : {1, 2, 3, 7, 32})
    for (std::uint64_t row = 0; row < 100; ++row) {
      std::vector<bool> runs(shards, false);
      for (std::uint64_t i = 0; i < shards; ++i) runs[shard_of(row * shards + i, shards) - 1] = true;
      CHECK(std::count(runs.begin(), runs.end(), true) == static_cast<std::ptrdiff_t>(shards));
    }
}

TEST_CASE("a shard knows how many points it runs") {
  for (const std::uint64_t shards : {1, 2, 3, 32})
    for (const std::uint64_t points : {0, 1, 2, 31, 32, 33, 1250}) {
      const auto counted = loads(points, shards, [](std::uint64_t) { return 1; });
      for (std::uint64_t number = 1; number <= shards; ++number)
        CHECK(points_of({number, shards}, points) == counted[number - 1]);
    }
}

TEST_CASE("costs that alternate or grow along the points are shared within a hundredth") {
  const auto alternating = [](std::uint64_t place) { return place % 2 == 0 ? 1 : 100; };
  const auto every_fourth = [](std::uint64_t place) { return place % 4 == 0 ? 100 : 1; };
  const auto growing = [](std::uint64_t place) { return place; };
  for (const std::uint64_t shards : {2, 4, 8}) {
    const auto is_fair = [](const std::vector<std::uint64_t>& sums) {
      const auto [min, max] = std::minmax_element(sums.begin(), sums.end());
      return *max * 100 <= *min * 101;
    };
    CHECK(is_fair(loads(4096, shards, alternating)));
    CHECK(is_fair(loads(4096, shards, every_fourth)));
    CHECK(is_fair(loads(4096, shards, growing)));
  }
}
