#include "support/random_values.hpp"

#include <gdsim/workload/launch_graph.hpp>
#include <gdsim/workload/launch_order.hpp>

#include <rapidcheck/catch.h>
#include <catch2/catch.hpp>

#include <array>

using namespace gdsim;

namespace {
/// Launches by their predecessors.
Workload launches_after(const std::vector<std::vector<std::uint32_t>>& after) {
  Workload workload;
  std::vector<Launch>& launches = workload.launches;
  launches.resize(after.size());
  for (std::size_t i = 0; i < after.size(); ++i)
    for (const std::uint32_t before : after[i]) launches[i].after.push_back(LaunchId{before});
  return workload;
}

std::vector<LaunchId> successors_of(const LaunchGraph& graph, std::size_t launch) {
  return {graph.successors[launch].begin(), graph.successors[launch].end()};
}

using Words = std::vector<std::string>;

/// `1 for 3`: 1 waits for 3, and why if they do not depend on each other.
Words links(const std::vector<CycleLink>& cycle) {
  constexpr std::array kinds{"", " (host order)", " (host wait)", " (parent)"};
  Words words;
  for (const CycleLink& link : cycle)
    words.push_back(std::to_string(index_of(link.launch)) + " for " + std::to_string(index_of(link.waits_for)) +
                    kinds.at(static_cast<std::size_t>(link.kind)));
  return words;
}

/// Of the only cycle.
Words cycle(const LaunchGraph& graph) {
  REQUIRE(graph.cycles.size() == 1);
  return links(graph.cycles.front());
}

}  // namespace

TEST_CASE("a launch knows its successors") {
  const LaunchGraph graph = make_launch_graph(launches_after({{}, {0}, {0, 1}}));
  CHECK(graph.cycles.empty());
  CHECK(successors_of(graph, 0) == std::vector<LaunchId>{LaunchId{1}, LaunchId{2}});
  CHECK(successors_of(graph, 1) == std::vector<LaunchId>{LaunchId{2}});
  CHECK(graph.successors[2].empty());
}

TEST_CASE("launches that wait for each other are named as a cycle") {
  const LaunchGraph graph = make_launch_graph(launches_after({{}, {3}, {1}, {2, 0}}));
  CHECK(cycle(graph) == Words{"1 for 3", "3 for 2", "2 for 1"});
}

TEST_CASE("a launch that waits for itself is a cycle of one") {
  CHECK(cycle(make_launch_graph(launches_after({{0}}))) == Words{"0 for 0"});
}

TEST_CASE("each cycle is reported, and of cycles that share a launch one") {
  const auto cycles = make_launch_graph(launches_after({{5}, {2}, {1}, {4}, {3, 6}, {0}, {4}, {7, 1}})).cycles;
  REQUIRE(cycles.size() == 4);
  CHECK(links(cycles[0]) == Words{"0 for 5", "5 for 0"});
  CHECK(links(cycles[1]) == Words{"1 for 2", "2 for 1"});
  CHECK(links(cycles[2]) == Words{"3 for 4", "4 for 3"});
  CHECK(links(cycles[3]) == Words{"7 for 7"});
}

namespace {

/// The predecessors of each launch, as `before:cause`.
std::vector<Words> dependencies(const Workload& workload) {
  const std::vector<std::string> causes{"after", "queue", "RAW", "WAR", "WAW"};
  std::vector<Words> all;
  const LaunchGraph graph = make_launch_graph(workload);
  for (std::size_t i = 0; i < graph.predecessors.size(); ++i) {
    const auto predecessors = graph.predecessors[i];
    Words words;
    for (const Dependency& found : predecessors)
      words.push_back(std::to_string(index_of(found.before)) + ":" + causes[static_cast<std::size_t>(found.cause)]);
    all.push_back(words);
  }
  return all;
}

/// Launches by the buffers they read and write, of which there are three.
Workload launches_using(const std::vector<std::pair<std::vector<std::uint32_t>, std::vector<std::uint32_t>>>& uses) {
  Workload workload;
  workload.buffers = {"x", "y", "z"};
  for (const auto& [reads, writes] : uses) {
    Launch launch;
    for (const std::uint32_t buffer : reads) launch.reads.push_back(BufferId{buffer});
    for (const std::uint32_t buffer : writes) launch.writes.push_back(BufferId{buffer});
    workload.launches.push_back(launch);
  }
  return workload;
}

}  // namespace

TEST_CASE("a reader comes after the last writer, a writer after the readers since or else the last writer") {
  CHECK(dependencies(launches_using({{{}, {0}}, {{0}, {}}, {{0}, {}}, {{}, {0}}, {{}, {0}}, {{0}, {}}})) ==
        std::vector<Words>{{}, {"0:RAW"}, {"0:RAW"}, {"1:WAR", "2:WAR"}, {"3:WAW"}, {"4:RAW"}});
}

TEST_CASE("a launch that reads and writes a buffer comes after its last writer, and not after itself") {
  CHECK(dependencies(launches_using({{{0}, {0}}, {{0}, {0}}, {{0}, {0}}})) ==
        std::vector<Words>{{}, {"0:RAW"}, {"1:RAW"}});
}

TEST_CASE("different buffers do not conflict, and nor do readers") {
  CHECK(dependencies(launches_using({{{0}, {1}}, {{0}, {2}}, {{0}, {}}})) == std::vector<Words>{{}, {}, {}});
}

TEST_CASE("launches of an in-order queue follow each other, whatever stands between them") {
  Workload workload = launches_after({{}, {}, {}, {}, {0}});
  workload.queues = {{"a", QueueOrder::in_order, {}}, {"b", QueueOrder::out_of_order, {}}};
  workload.launches[0].queue = workload.launches[2].queue = workload.launches[4].queue = QueueId{0};
  workload.launches[1].queue = workload.launches[3].queue = QueueId{1};
  CHECK(dependencies(workload) == std::vector<Words>{{}, {}, {"0:queue"}, {}, {"0:after", "2:queue"}});
}

TEST_CASE("a predecessor for several reasons is one predecessor") {
  Workload workload = launches_using({{{}, {0, 1}}, {{0, 1}, {0}}});
  workload.launches[1].after = {LaunchId{0}, LaunchId{0}};
  CHECK(dependencies(workload) == std::vector<Words>{{}, {"0:after"}});
  CHECK(make_launch_graph(workload).successors[0].size() == 1);
}

TEST_CASE("the host cannot wait for a launch that it submits later, nor for one that needs such a launch") {
  Workload workload = launches_after({{}, {}, {}});
  workload.launches[1].host_waits = {LaunchId{2}};
  CHECK(cycle(make_launch_graph(workload)) == Words{"1 for 2 (host wait)", "2 for 1 (host order)"});
  workload.launches[1].host_waits = {LaunchId{0}};
  CHECK(make_launch_graph(workload).cycles.empty());
  workload.launches[0].after = {LaunchId{2}};
  CHECK(cycle(make_launch_graph(workload)) == Words{"0 for 2", "2 for 1 (host order)", "1 for 0 (host wait)"});
  // Now the others say that they are submitted before it, one waiting for it.
  for (const std::uint32_t i : {0U, 1U, 2U}) workload.launches[i].at = SimTime{i == 0 ? 3 : i};
  CHECK(cycle(make_launch_graph(workload)) == Words{"0 for 2", "2 for 1 (host order)", "1 for 0 (host wait)"});
  workload.launches[0].after.clear();
  CHECK(cycle(make_launch_graph(workload)) == Words{"1 for 0 (host wait)", "0 for 1 (host order)"});
}

TEST_CASE("a launch for which the host waits and that has no time of its own is submitted behind those it waits for") {
  Workload workload = launches_after({{}, {}, {1}, {}, {}});
  const auto order = [&] { return make_launch_graph(workload).host_order; };
  const auto ids = [](std::vector<std::uint32_t> numbers) {
    std::vector<LaunchId> launches;
    for (const std::uint32_t number : numbers) launches.push_back(LaunchId{number});
    return launches;
  };
  workload.launches[1].at = SimTime{5};
  workload.launches[3].host_waits = {LaunchId{2}};  // which comes after 1
  workload.launches[4].host_waits = {LaunchId{3}};
  CHECK(order() == ids({0, 2, 1, 3, 4}));
  CHECK(make_launch_graph(workload).cycles.empty());
  workload.launches[4].host_waits = {LaunchId{0}};
  CHECK(order() == ids({0, 2, 4, 1, 3}));
  workload.launches[3].at = SimTime{4};  // what it says itself stays, though it is impossible
  CHECK(order() == ids({0, 2, 4, 3, 1}));
  CHECK(cycle(make_launch_graph(workload)) == Words{"2 for 1", "1 for 3 (host order)", "3 for 2 (host wait)"});
}

TEST_CASE("the host waits for a whole chain of launches, also where each of them stands behind the next one") {
  Workload workload = launches_after({{1}, {2}, {3}, {}, {}});
  workload.launches[3].at = SimTime{5};
  workload.launches[4].host_waits = {LaunchId{0}};
  const LaunchGraph graph = make_launch_graph(workload);
  CHECK(host_times(workload, graph.predecessors)[4] == SimTime{5});
  CHECK(graph.host_order.back() == LaunchId{4});
  CHECK(graph.cycles.empty());
}

namespace {

/// host_times() by its words: the latest of what lies before, until nothing changes.
std::vector<SimTime> times_by_repetition(const Workload& workload) {
  const auto& launches = workload.launches;
  std::vector<SimTime> times, latest;
  for (const Launch& launch : launches) times.push_back(launch.at);
  latest = times;
  for (bool changes = true; changes;) {
    changes = false;
    for (std::size_t i = 0; i < launches.size(); ++i) {
      SimTime before{};
      for (const LaunchId wait : launches[i].host_waits) before = std::max(before, latest[index_of(wait)]);
      if (launches[i].at == SimTime{}) times[i] = before;
      SimTime sum = std::max(times[i], before);
      for (const LaunchId one : launches[i].after) sum = std::max(sum, latest[index_of(one)]);
      changes |= sum != latest[i];
      latest[i] = sum;
    }
  }
  return times;
}

}  // namespace

TEST_CASE("when the host submits a launch does not depend on where those that it waits for stand in the file") {
  rc::prop("against repetition", [] {
    using gdsim::testing::between;
    const auto count = between<std::uint32_t>(2, 12);
    std::vector<std::uint32_t> place(count);  // in the file, of launches each of which comes after some before it
    for (std::uint32_t i = 0; i < count; ++i) {
      place[i] = i;
      std::swap(place[i], place[between<std::uint32_t>(0, i)]);
    }
    Workload workload;
    workload.launches.resize(count);
    for (std::uint32_t i = 0; i < count; ++i) {
      Launch& launch = workload.launches[place[i]];
      if (between(0, 2) == 0) launch.at = SimTime{between<std::int64_t>(1, 9)};
      for (int edges = i == 0 ? 0 : between(0, 2); edges > 0; --edges) {
        const LaunchId before{place[between<std::uint32_t>(i < 3 ? 0 : i - 3, i - 1)]};
        (between(0, 1) == 0 ? launch.after : launch.host_waits).push_back(before);
      }
    }
    const LaunchGraph graph = make_launch_graph(workload);
    RC_ASSERT(host_times(workload, graph.predecessors) == times_by_repetition(workload));
  });
}

TEST_CASE("edges stay few: a hundred thousand readers and writers of one buffer") {
  std::vector<std::pair<std::vector<std::uint32_t>, std::vector<std::uint32_t>>> uses;
  for (std::uint32_t i = 0; i < 100'000; ++i)
    uses.push_back(i % 100 == 0 ? std::pair(std::vector<std::uint32_t>{}, std::vector<std::uint32_t>{0})
                                : std::pair(std::vector<std::uint32_t>{0}, std::vector<std::uint32_t>{}));
  std::size_t edges = 0;
  const LaunchGraph graph = make_launch_graph(launches_using(uses));
  for (std::size_t i = 0; i < graph.predecessors.size(); ++i) edges += graph.predecessors[i].size();
  CHECK(edges < 200'000);
}

TEST_CASE("a long chain is no problem") {
  std::vector<std::vector<std::uint32_t>> after(200'000);
  for (std::uint32_t i = 1; i < after.size(); ++i) after[i] = {i - 1};
  Workload workload = launches_after(after);
  workload.launches.back().host_waits = {LaunchId{199'998}};
  const LaunchGraph graph = make_launch_graph(workload);
  CHECK(graph.cycles.empty());
  CHECK(graph.order.size() == 2 * after.size());  // each is submitted, and ends
  // Closed, it is a cycle, which is found in a walk along all of it.
  after.front() = {199'999};
  const LaunchGraph closed = make_launch_graph(launches_after(after));
  REQUIRE(closed.cycles.size() == 1);
  CHECK(closed.cycles.front().size() == after.size());
}
