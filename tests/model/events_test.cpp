#include "support/builders.hpp"
#include "support/temporary_folder.hpp"

#include <gdsim/model/events.hpp>

#include <catch2/catch.hpp>

#include <string>
#include <utility>
#include <vector>

using namespace gdsim;
using namespace gdsim::testing;

TEST_CASE("what happens at one instant happens in the order that the README gives") {
  const std::vector<std::pair<std::string, Event>> order{
      {"recoveries end", Event::recovery_ends()},        {"threads end", Event::threads_end(CohortIndex{0})},
      {"launches end", Event::launch_ends(LaunchId{0})}, {"loads end", Event::load_ends(CohortIndex{0})},
      {"steps end", Event::step_ends(CohortIndex{0})},   {"barriers open", Event::barrier_opens(GroupIndex{0}, 0)},
      {"tiles are given out", Event::tiles_are_given()}, {"launches arrive", Event::launch_arrives(LaunchId{0})},
      {"a dispatch turn", Event::turn_is_taken()}};
  REQUIRE(order.size() == kRankCount);
  const std::string readme = read_file(source_path("sim/README.md"));
  std::size_t at = readme.find("The events of one instant happen in this order: work on shared resources completes,");
  REQUIRE(at != std::string::npos);
  for (std::size_t i = 0; i < order.size(); ++i) {
    INFO(order[i].first);
    CHECK(order[i].second.rank() == i);
    const std::size_t next = readme.find(order[i].first, at);
    REQUIRE(next != std::string::npos);
    CHECK(next - at < 120);  // in the same sentence
    at = next;
  }
}
