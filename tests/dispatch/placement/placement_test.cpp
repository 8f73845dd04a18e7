#include <gdsim/dispatch/placement/placements.hpp>
#include "support/builders.hpp"

#include <catch2/catch.hpp>

using namespace gdsim;
using namespace gdsim::testing;

namespace {

/// Cores of 8 contexts that hold this many threads each; those with a full core are no candidates.
struct Cores {
  std::vector<Core> cores;
  EngineSets sets{2};
  Footprint footprint = make_footprint(kernel_of(1, 2, {compute(us(1))}), small_device(), 2);

  Cores(std::initializer_list<std::uint32_t> held) : cores(held.size(), Core(small_device(), EngineDetail::none)) {
    std::size_t i = 0;
    for (const std::uint32_t threads : held) cores[i++].take_threads(footprint, threads, at(us(0)), sets);
  }

  std::uint32_t ask(Placement& placement) {
    Candidates candidates(0, cores.size(), {});
    for (std::uint32_t i = 0; i < cores.size(); ++i)
      if (cores[i].resident() < 8) candidates.put(core(i), placement.cost(cores[i], footprint));
    return static_cast<std::uint32_t>(*placement.choose(candidates.best()));
  }
};

std::uint32_t choice(const char* name, Cores cores) {
  return cores.ask(*built_in_placements().make_placement(name, small_device()));
}

}  // namespace

TEST_CASE("fill_first takes the lowest index, each time from the start") {
  CHECK(choice("fill_first", {7, 0, 0}) == 0);
  CHECK(choice("fill_first", {8, 7, 0}) == 1);
}

TEST_CASE("round_robin continues behind the core that it chose last") {
  const auto placement = built_in_placements().make_placement("round_robin", small_device());
  Cores cores{0, 0, 8, 0};
  CHECK(cores.ask(*placement) == 0);
  CHECK(cores.ask(*placement) == 1);
  CHECK(cores.ask(*placement) == 3);
  CHECK(cores.ask(*placement) == 0);
}

TEST_CASE("least_loaded takes the core with the fewest threads, whatever contexts they hold, ties to the lowest") {
  CHECK(choice("least_loaded", {3, 2, 2, 5}) == 1);
  CHECK(choice("least_loaded", {8, 7, 7}) == 1);
  Cores cores{3, 0};
  Footprint large = cores.footprint;
  large.thread.contexts = 2;
  cores.cores[1].take_threads(large, 2, at(us(0)), cores.sets);
  CHECK(choice("least_loaded", std::move(cores)) == 1);
}

TEST_CASE("most_room takes the core with room for most further work-groups, ties to the lowest") {
  // Work-groups of 2 threads: room for 1, 3, 3, 4.
  CHECK(choice("most_room", {5, 2, 1, 0}) == 3);
  CHECK(choice("most_room", {5, 2, 1, 8}) == 1);
}

TEST_CASE("a placement that is not listed does not exist, a copy of the list can be extended") {
  PlacementCatalog catalog = built_in_placements();
  CHECK(catalog.make_placement("mine", small_device()) == nullptr);
  struct Mine : Placement {
    std::optional<std::size_t> choose(const IndexSet&) override { return 1; }
  };
  catalog.placements.push_back(
      {"mine", [](const DeviceSpec&) -> std::unique_ptr<Placement> { return std::make_unique<Mine>(); }});
  CHECK(catalog.make_placement("mine", small_device()) != nullptr);
  CHECK(catalog.placement_names().size() == 6);
}
