#include <gdsim/analysis/words.hpp>
#include <gdsim/run/ensemble/link_transfers.hpp>
#include <gdsim/run/ensemble/member.hpp>
#include <gdsim/workload/launch_graph.hpp>
#include "support/builders.hpp"
#include "support/devices.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

// Links between devices, copies over them, and collectives.

using namespace gdsim;
using namespace gdsim::testing;

namespace {

/// 1 GB/s: a byte takes 1 ns.
const std::vector<DeviceLink> kSwitch{{{DeviceId{0}, DeviceId{1}, DeviceId{2}, DeviceId{3}}, {1'000'000'000}, ns(5)}};

/// The ends of transfers that begin at 0, by `of`.
std::vector<std::int64_t> ends_of(const std::vector<LinkTransfers::Transfer>& all,
                                  const std::vector<DeviceLink>& links = kSwitch) {
  LinkTransfers transfers(links);
  for (const LinkTransfers::Transfer& one : all) transfers.begin(SimTime{}, one);
  std::vector<std::int64_t> ends(all.size(), -1);
  while (const auto next = transfers.next())
    for (const std::uint64_t of : transfers.advance(*next)) ends[of] = next->count / 1'000;
  return ends;
}

using Ends = std::vector<std::int64_t>;

std::string scenario_with(const std::string& launches) {
  return "scenario: S\ndevices: {d0: tiny, d1: tiny, d2: tiny}\n"
         "links: [{between: [d0, d1, d2], bandwidth: 1 GB/s, latency: 5 ns}]\nkernels: {k: {global: 1, local: 1, "
         "sub_group: 1, program: [compute: 10 ns]}}\nlaunches: [" +
         launches +
         ", {kernel: k, name: x, device: d0}, {kernel: k, name: y, device: d1}, {kernel: k, name: z, device: d2}]\n";
}

}  // namespace

TEST_CASE("a transfer takes the latency, and its bytes over the bandwidth") {
  CHECK(ends_of({{0, 1, Bytes{100}, 0}}) == Ends{105});
}

TEST_CASE("transfers through one port share it, in the direction that it has, and no other port") {
  CHECK(ends_of({{0, 1, Bytes{100}, 0}, {0, 2, Bytes{100}, 1}}) == Ends{205, 205});
  CHECK(ends_of({{1, 0, Bytes{100}, 0}, {2, 0, Bytes{100}, 1}}) == Ends{205, 205});
  CHECK(ends_of({{0, 1, Bytes{100}, 0}, {1, 0, Bytes{100}, 1}}) == Ends{105, 105});
  CHECK(ends_of({{0, 1, Bytes{100}, 0}, {2, 3, Bytes{100}, 1}}) == Ends{105, 105});
}

TEST_CASE("who is left has the port alone") {
  CHECK(ends_of({{0, 1, Bytes{100}, 0}, {0, 2, Bytes{300}, 1}}) == Ends{205, 405});
  CHECK(ends_of({{0, 1, Bytes{300}, 0}, {0, 1, Bytes{300}, 1}, {0, 1, Bytes{300}, 2}}) == Ends{905, 905, 905});
}

TEST_CASE("a transfer takes the first link that has both devices") {
  const std::vector<DeviceLink> links{{{DeviceId{0}, DeviceId{1}}, {2'000'000'000}, ns(1)},
                                      {{DeviceId{0}, DeviceId{1}, DeviceId{2}}, {1'000'000'000}, ns(5)}};
  CHECK(ends_of({{0, 1, Bytes{100}, 0}, {0, 2, Bytes{100}, 1}}, links) == Ends{51, 105});
  CHECK_FALSE(link_between(links, 1, 3));
}

TEST_CASE("an all-reduce in a ring has 2 (N - 1) rounds of an N-th, a tree has its levels twice") {
  Collective one{CollectiveKind::all_reduce,
                 CollectiveAlgorithm::ring,
                 Bytes{1000},
                 {DeviceId{3}, DeviceId{1}, DeviceId{0}, DeviceId{2}},
                 {}};
  auto rounds = exchange_rounds(one);
  REQUIRE(rounds.size() == 6);
  REQUIRE(rounds[5].size() == 4);
  CHECK(rounds[0][0].from == 3);
  CHECK(rounds[0][0].to == 1);
  CHECK(rounds[0][3].to == 3);
  CHECK(rounds[0][0].bytes == Bytes{250});
  one.kind = CollectiveKind::all_gather;
  CHECK(exchange_rounds(one).size() == 3);
  one = {CollectiveKind::all_reduce,
         CollectiveAlgorithm::tree,
         Bytes{1000},
         {DeviceId{0}, DeviceId{1}, DeviceId{2}, DeviceId{3}, DeviceId{4}},
         {}};
  rounds = exchange_rounds(one);
  REQUIRE(rounds.size() == 4);
  CHECK(rounds[0].size() == 2);  // 3 and 4 to 1
  CHECK(rounds[1].size() == 2);  // 1 and 2 to 0
  CHECK(rounds[3][0].from == 1);
  CHECK(rounds[3][0].to == 3);
  CHECK(rounds[3][0].bytes == Bytes{1000});
  one.kind = CollectiveKind::broadcast;
  CHECK(exchange_rounds(one).size() == 2);
}

TEST_CASE("a copy between devices begins when it is ready, and what waits for it begins at its end") {
  const DevicesRun run(
      scenario_with("{kernel: k, name: a, device: d0}, {copy: {bytes: 1 KiB, from: d0, to: d1}, after: [a]}, "
                    "{kernel: k, name: b, device: d1, after: [copy]}"));
  CHECK(run.start_of("copy") == 10'000);
  CHECK(run.end_of("copy") == 10'000 + 5'000 + 1'024'000);
  CHECK(run.start_of("b") == run.end_of("copy"));
}

TEST_CASE("copies that leave one device at once share its port") {
  const DevicesRun run(
      scenario_with("{copy: {bytes: 1 KiB, from: d0, to: d1}}, {copy: {bytes: 1 KiB, from: d0, to: d2}}"));
  CHECK(run.end_of("copy") == 5'000 + 2'048'000);
  CHECK(run.end_of("copy#2") == run.end_of("copy"));
}

TEST_CASE("a collective begins to exchange when all its parts are resident, and all of them end together") {
  const std::string members =
      "collective: {kind: all_reduce, bytes: 3 KiB, devices: [d0, d1, d2], algorithm: ring, "
      "work_groups: 2, local: 1}";
  const DevicesRun run(scenario_with("{kernel: k, name: a, device: d1}, {" + members +
                                     ", name: r, after: [a]}, {kernel: k, name: b, device: d2, after: [r]}"));
  const std::int64_t exchange = 4 * (5'000 + 1'024'000);
  CHECK(run.start_of("r.d0") == 10'000);
  const std::int64_t cycle = run.end_of("r.d0") - 10'000 - exchange;  // after the exchange, each thread takes one
  CHECK(cycle > 0);
  CHECK(cycle <= 10'000);
  CHECK(run.end_of("r.d1") == run.end_of("r.d0"));
  CHECK(run.end_of("r.d2") == run.end_of("r.d0"));
  CHECK(run.start_of("b") == run.end_of("r.d2"));
  CHECK(run.result.devices[0].record.launches[1].resident_time == Int128{2} * (exchange + cycle));
}

TEST_CASE("a part that finds no room keeps the others waiting on their cores") {
  const DevicesRun run(
      "scenario: S\ndevices: {d0: tiny, d1: {base: tiny, cores: 1}}\n"
      "links: [{between: [d0, d1], bandwidth: 1 GB/s, latency: 5 ns}]\n"
      "kernels: {long: {global: 8, local: 8, sub_group: 1, program: [compute: 1 us]}}\n"
      "launches:\n"
      "  - {kernel: long, device: d1}\n"
      "  - {name: r, collective: {kind: reduce_scatter, bytes: 2 KiB, devices: [d0, d1], algorithm: "
      "ring, work_groups: 1, local: 8}}\n");
  CHECK(run.start_of("r.d0") == 0);
  CHECK(run.start_of("r.d1") == 1'000'000);
  CHECK(run.end_of("r.d0") >= 1'000'000 + 5'000 + 1'024'000);
}

TEST_CASE("a part that never finds room stalls all") {
  const DevicesRun run(
      "scenario: S\ndevices: {d0: tiny, d1: {base: tiny, cores: 1}}\n"
      "links: [{between: [d0, d1], bandwidth: 1 GB/s, latency: 5 ns}]\n"
      "kernels:\n"
      "  never: {global: 8, local: 8, sub_group: 1, program: [compute: 1 ns, wait: s, signal: s]}\n"
      "launches:\n"
      "  - {kernel: never, device: d1}\n"
      "  - {name: r, collective: {kind: all_reduce, bytes: 2 KiB, devices: [d0, d1], algorithm: tree, "
      "work_groups: 1, local: 8}}\n");
  CHECK(run.result.all.outcome == Outcome::deadlock);
  REQUIRE_FALSE(run.result.devices[0].record.deadlock.groups.empty());
  CHECK(run.result.devices[0].record.deadlock.groups[0].kind == ThreadWait::grid);
  const Scenario& first = run.read.scenario().devices[0];
  const LaunchGraph graph = make_launch_graph(first.workload);
  const std::string text =
      deadlock_text(RunReport{"", first.device, first.dispatch, first.workload, run.result.devices[0].record, graph});
  CHECK_THAT(text, Catch::Contains("8 of 8 threads wait for the exchange with other devices"));
}
