#include <gdsim/fit/engines.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <vector>

using namespace gdsim;

namespace {

using Threads = std::vector<std::uint32_t>;

/// A set of threads that were placed on these engines, in this order.
EngineSet placed(EngineSets& sets, const Threads& order, std::size_t engines) {
  const EngineSet set = sets.add();
  Threads counts(engines);
  for (const std::uint32_t engine : order) ++counts[engine];
  std::copy(counts.begin(), counts.end(), sets.threads(set).begin());
  sets.order(set) = order;
  return set;
}

Threads threads(EngineSets& sets, EngineSet set) { return {sets.threads(set).begin(), sets.threads(set).end()}; }

/// All sets that there are have held something before.
EngineSets used_before() {
  EngineSets sets(3);
  std::vector<EngineSet> all;
  for (int i = 0; i < 4; ++i) all.push_back(placed(sets, {0, 0, 1, 2, 2, 2}, 3));
  for (const EngineSet set : all) sets.remove(set);
  return sets;
}

}  // namespace

TEST_CASE("the threads that came first are dealt out first, also into a set that was used before") {
  EngineSets sets = used_before();
  const EngineSet set = placed(sets, {1, 0, 1, 2}, 3);
  const EngineSet dealt = sets.deal(set, 2);
  CHECK(threads(sets, dealt) == Threads{1, 1, 0});
  CHECK(threads(sets, set) == Threads{0, 1, 1});
  CHECK(threads(sets, sets.deal(set, 1)) == Threads{0, 1, 0});
  CHECK(sets.count(set) == 1);
  CHECK(sets.deal(EngineSet::none, 7) == EngineSet::none);
}

TEST_CASE("the threads of some engines are taken out, also into a set that was used before") {
  EngineSets sets = used_before();
  const EngineSet set = placed(sets, {0, 1, 1}, 3);
  const EngineSet taken = sets.take(set, 1, 3);
  CHECK(threads(sets, taken) == Threads{0, 2, 0});
  CHECK(threads(sets, set) == Threads{1, 0, 0});
  CHECK(sets.take(set, 1, 3) == EngineSet::none);
}

TEST_CASE("two sets that merge are one, and the other is free again") {
  EngineSets sets(2);
  const EngineSet set = placed(sets, {0, 1}, 2);
  const EngineSet other = placed(sets, {1, 1}, 2);
  CHECK(sets.merge(set, other) == set);
  CHECK(threads(sets, set) == Threads{1, 3});
  CHECK(sets.add() == other);
  CHECK(sets.merge(EngineSet::none, set) == set);
  CHECK(sets.merge(set, EngineSet::none) == set);
}
