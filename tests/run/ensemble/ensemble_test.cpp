#include "support/devices.hpp"

#include <rapidcheck/catch.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <string>
#include <vector>

// Devices of one scenario: launches that wait for each other across devices.

using namespace gdsim;
using namespace gdsim::testing;

namespace {

/// Devices `d0`, `d1`, ... on which a launch is ready as soon as its predecessors have ended.
std::string devices(std::size_t count, const std::string& keys = {}) {
  std::string text = "scenario: S\ndevices: {";
  for (std::size_t i = 0; i < count; ++i)
    text += (i > 0 ? ", d" : "d") + std::to_string(i) + ": {base: tiny" + keys + "}";
  return text + "}\n";
}

const std::string kKernels =
    "kernels:\n"
    "  k: {global: 1, local: 1, sub_group: 1, program: [compute: 10 ns]}\n"
    "  l: {global: 1, local: 1, sub_group: 1, program: [compute: 25 ns]}\n";

}  // namespace

TEST_CASE("a launch waits for one of another device") {
  const DevicesRun run(devices(2) + kKernels +
                       "launches: [{kernel: k, device: d0}, {kernel: l, device: d1, after: [k]}, "
                       "{kernel: k, name: c, device: d0, after: [l]}]\n");
  CHECK(run.end_of("k") == 10'000);
  CHECK(run.start_of("l") == 10'000);
  CHECK(run.end_of("c") == 45'000);
  CHECK(run.result.all.outcome == Outcome::completed);
  CHECK(run.result.all.duration().count == 45'000);
}

TEST_CASE("a device's own gap lies between an end elsewhere and the launch that waits for it") {
  const DevicesRun run(
      "scenario: S\ndevices: {d0: {base: tiny, dependency_gap: 3 ns}, d1: {base: tiny, dependency_gap: "
      "7 ns}}\n" +
      kKernels +
      "launches: [{kernel: k, device: d0}, {kernel: l, device: d1, after: [k]}, "
      "{kernel: k, name: c, device: d0, after: [l]}]\n");
  CHECK(run.start_of("l") == 17'000);
  CHECK(run.start_of("c") == 45'000);
}

TEST_CASE("the host waits for launches of any device") {
  const DevicesRun run(devices(2, ", submit_overhead: 2 ns") + kKernels +
                       "launches: [{kernel: l, device: d0}, {kernel: k, device: d1, wait: [l]}, "
                       "{kernel: k, name: c, device: d0}]\n");
  CHECK(run.end_of("l") == 27'000);
  CHECK(run.start_of("k") == 29'000);
  CHECK(run.start_of("c") == 31'000);
}

TEST_CASE("an in-order queue keeps only launches of one device in order") {
  const DevicesRun run(devices(2) + kKernels +
                       "queues: {q: {order: in_order}}\n"
                       "launches: [{kernel: l, device: d0, queue: q}, {kernel: k, device: d1, queue: q}, "
                       "{kernel: k, name: c, device: d0, queue: q}]\n");
  CHECK(run.start_of("k") == 0);
  CHECK(run.start_of("c") == 25'000);
}

TEST_CASE("each device ends with its own last launch, and all of them with the last of all") {
  const DevicesRun run(devices(2) + kKernels + "launches: [{kernel: k, device: d0}, {kernel: l, device: d1}]\n");
  CHECK(run.result.devices[0].record.end.count == 10'000);
  CHECK(run.result.devices[1].record.end.count == 25'000);
  const RunRecord& all = run.result.all;
  CHECK(all.end.count == 25'000);
  CHECK(all.peak_resident == 2);
  CHECK(all.contexts_total == 2 * run.result.devices[0].record.contexts_total);
  CHECK(all.resident_time == Int128{35'000});
}

TEST_CASE("slack and the critical path are those of the whole run") {
  const DevicesRun run(devices(2) + kKernels +
                       "launches: [{kernel: k, device: d0}, {kernel: l, device: d1}, "
                       "{kernel: k, name: c, device: d0, after: [k, l]}]\n");
  CHECK(run.result.all.critical_path == std::vector<LaunchId>{LaunchId{1}, LaunchId{2}});
  CHECK(run.result.all.launches[0].slack->count == 15'000);
  CHECK(run.result.all.launches[1].is_critical());
}

TEST_CASE("slack is known where devices wait differently long behind what they wait for") {
  const DevicesRun run(
      "scenario: S\ndevices: {d0: {base: tiny, dependency_gap: 3 ns}, d1: {base: tiny, dependency_gap: 7 ns}}\n" +
      kKernels +
      "launches: [{kernel: k, device: d0}, {kernel: l, device: d1, after: [k]}, {kernel: k, name: c, device: d0}, "
      "{kernel: k, name: d, device: d0, after: [l, c]}]\n");
  using Ids = std::vector<LaunchId>;
  CHECK(run.result.all.critical_path == Ids{LaunchId{0}, LaunchId{1}, LaunchId{3}});
  CHECK(run.result.all.launches[0].is_critical());
  CHECK(run.result.all.launches[2].slack->count == run.result.all.launches[1].ended->count - run.end_of("c"));
}

TEST_CASE("parts of a collective end together: the one that came last is critical, the others had time") {
  const DevicesRun run(
      devices(2) + "links: [{between: [d0, d1], bandwidth: 1 GB/s, latency: 5 ns}]\n" + kKernels +
      "launches: [{kernel: k, device: d0}, {kernel: l, device: d1}, {collective: {kind: all_reduce, bytes: "
      "2 KiB, work_groups: 1, local: 1}, name: r, after: [k]}, {kernel: k, name: c, device: d0, after: "
      "[r.d0]}]\n");
  const auto& launches = run.result.all.launches;
  CHECK(run.start_of("r.d0") == 10'000);
  CHECK(run.start_of("r.d1") == 10'000);
  CHECK(launches[0].is_critical());
  const DevicesRun late(
      devices(2) + "links: [{between: [d0, d1], bandwidth: 1 GB/s, latency: 5 ns}]\n" + kKernels +
      "queues: {q: {order: in_order}}\n"
      "launches: [{kernel: k, device: d0, queue: q}, {kernel: l, device: d1, queue: q}, {collective: "
      "{kind: all_reduce, bytes: 2 KiB, work_groups: 1, local: 1}, name: r, queue: q}, {kernel: k, name: "
      "c, device: d0, queue: q}]\n");
  using Ids = std::vector<LaunchId>;
  CHECK(late.result.all.critical_path == Ids{LaunchId{1}, LaunchId{3}, LaunchId{2}, LaunchId{4}});
  CHECK(late.result.all.launches[0].slack->count == 15'000);
  CHECK(late.result.all.launches[1].is_critical());
  CHECK(late.result.all.launches[2].slack->count == 15'000);
  CHECK(late.result.all.launches[3].is_critical());
}

TEST_CASE("slack knows of what launches of another device wait for there") {
  const DevicesRun queues("scenario: S\ndevices: {d0: tiny, d1: {base: tiny, hardware_queues: {count: 1}}}\n" +
                          kKernels +
                          "queues: {q: {order: in_order}, r: {order: in_order}}\n"
                          "launches: [{kernel: k, device: d0}, {kernel: k, name: b, device: d1, queue: q, after: [k]}, "
                          "{kernel: l, device: d1, queue: r}]\n");
  // l begins behind b, which waits for k, and ends last: k has no time.
  CHECK(queues.start_of("l") == 10'000);
  CHECK(queues.result.all.launches[0].is_critical());
  CHECK(queues.result.all.launches[1].slack->count == 0);
  const DevicesRun cooperative(devices(2) + kKernels +
                               "launches: [{kernel: k, device: d0}, {kernel: k, name: b, device: d1, after: [k], "
                               "cooperative: true}, {kernel: l, device: d1, cooperative: true}]\n");
  CHECK(cooperative.start_of("l") == 20'000);
  CHECK(cooperative.result.all.launches[0].is_critical());
}

TEST_CASE("slack is known where a queue would let launches wait for triggers but none does") {
  const DevicesRun run(devices(2) + kKernels +
                       "queues: {q: {order: in_order, next: triggered}}\n"
                       "launches: [{kernel: k, device: d0, queue: q}, {kernel: l, device: d1, queue: q}]\n");
  REQUIRE(run.result.all.launches[0].slack);
  CHECK(run.result.all.launches[0].slack->count == 15'000);
}

TEST_CASE("where nothing begins on one device, all devices together begin with the first launch of another") {
  const DevicesRun run(devices(2) +
                       "kernels:\n"
                       "  k: {global: 1, local: 1, sub_group: 1, program: [compute: 10 ns]}\n"
                       "  never: {global: 2, local: 2, sub_group: 1, program: [compute: 1 ns, only: {threads: 0, body: "
                       "[barrier]}, only: {threads: 1, body: [wait: s]}, only: {threads: 0, body: [signal: s]}]}\n"
                       "launches: [{kernel: never, device: d0, at: 5 ns}, {kernel: k, device: d1, after: [never]}]\n");
  CHECK(run.result.all.outcome == Outcome::deadlock);
  CHECK(run.result.all.first_dispatch.count == 5'000);
  CHECK(run.result.all.begin.count == 5'000);
}

TEST_CASE("a launch that never ends on one device stalls those that wait for it on another") {
  const DevicesRun run(devices(2) +
                       "kernels:\n"
                       "  k: {global: 1, local: 1, sub_group: 1, program: [compute: 10 ns]}\n"
                       "  never: {global: 2, local: 2, sub_group: 1, program: [compute: 1 ns, only: {threads: 0, body: "
                       "[barrier]}, only: {threads: 1, body: [wait: s]}, only: {threads: 0, body: [signal: s]}]}\n"
                       "launches: [{kernel: k, name: b, device: d0}, {kernel: never, device: d1}, "
                       "{kernel: k, device: d0, after: [never]}]\n");
  CHECK(run.result.all.outcome == Outcome::deadlock);
  const Deadlock& first = run.result.devices[0].record.deadlock;
  REQUIRE(first.launches.size() == 1);
  CHECK(first.launches[0].waits_for == std::vector<LaunchId>{LaunchId{1}});
  CHECK(run.result.devices[1].record.outcome == Outcome::deadlock);
}

TEST_CASE("launches that never compete end when dependencies and the host allow, on whichever devices they are") {
  rc::prop("as a simple recursion has it", [] {
    const auto count = *rc::gen::inRange<std::size_t>(1, 4);
    const auto launches = *rc::gen::inRange<std::size_t>(count, 12);
    const std::int64_t overhead = *rc::gen::inRange<std::int64_t>(0, 3);
    std::string text = devices(count, ", submit_overhead: " + std::to_string(overhead) + " ns, dependency_gap: 2 ns");
    std::string kernels = "kernels:\n";
    std::string list = "launches:\n";
    std::vector<std::int64_t> ends;
    std::int64_t host = 0;
    for (std::size_t i = 0; i < launches; ++i) {
      const std::string number = std::to_string(i);
      // At least as many launches as devices, the first ones each on a device of its own: no device is without a
      // launch.
      const std::size_t device = i < count ? i : *rc::gen::inRange<std::size_t>(0, count);
      const std::int64_t lasts = *rc::gen::inRange<std::int64_t>(1, 40);
      kernels += "  k" + number + ": {global: 1, local: 1, sub_group: 1, program: [compute: " + std::to_string(lasts) +
                 " ns]}\n";
      std::string after;
      std::int64_t ready = 0;
      for (std::size_t j = 0; j < i; ++j)
        if (*rc::gen::inRange(0, 4) == 0) {
          after += (after.empty() ? "k" : ", k") + std::to_string(j);
          ready = std::max(ready, ends[j] + 2);
        }
      std::string wait;
      if (i > 0 && *rc::gen::inRange(0, 4) == 0) {
        const auto before = *rc::gen::inRange<std::size_t>(0, i);
        wait = ", wait: [k" + std::to_string(before) + "]";
        host = std::max(host, ends[before]);
      }
      host += overhead;
      ends.push_back(std::max(ready, host) + lasts);
      list += "  - {kernel: k" + number + ", device: d" + std::to_string(device) + wait + ", after: [" + after + "]}\n";
      if (after.empty()) list.replace(list.rfind(", after: []"), 11, "");
    }
    const DevicesRun run(text + kernels + list);
    RC_ASSERT(run.result.all.outcome == Outcome::completed);
    for (std::size_t i = 0; i < launches; ++i) RC_ASSERT(run.end_of("k" + std::to_string(i)) == ends[i] * 1'000);
  });
}

TEST_CASE("where the late device of collectives alternates, each late launch is critical") {
  std::string launches;
  for (int i = 0; i < 12; ++i) {
    const std::string number = std::to_string(i);
    launches += "  - {kernel: l, name: l" + number + ", device: d" + std::to_string(i % 2) +
                ", queue: q}\n  - {collective: {kind: all_reduce, bytes: 1 KiB, work_groups: 1, local: 1}, name: r" +
                number + ", queue: q}\n";
  }
  const DevicesRun run(devices(2) + "links: [{between: [d0, d1], bandwidth: 1 GB/s, latency: 5 ns}]\n" + kKernels +
                       "queues: {q: {order: in_order}}\nlaunches:\n" + launches);
  const auto& all = run.result.all.launches;
  const auto& named = run.read.scenario().devices.front().workload.launches;
  for (std::size_t i = 0; i < all.size(); ++i) {
    INFO(named[i].name);
    REQUIRE(all[i].slack);
    if (named[i].name.front() == 'l') CHECK(all[i].is_critical());
    // A part whose device has nothing else to do waits for the other one's launch.
    const bool is_late = all[i].slack->count == 0;
    if (named[i].name.front() == 'r') CHECK((is_late || all[i].slack->count == 25'000));
  }
  // Each launch, the late part of its collective, and the part of the device whose launch is next.
  CHECK(run.result.all.critical_path.size() == 35);
}

TEST_CASE("what comes behind one part of a collective matters for all that comes before another part") {
  const DevicesRun run(
      devices(2) + "links: [{between: [d0, d1], bandwidth: 1 GB/s, latency: 5 ns}]\n" + kKernels +
      "queues: {q: {order: in_order}}\n"
      "launches: [{kernel: k, count: 6, device: d1, queue: q}, {collective: {kind: all_reduce, bytes: 1 "
      "KiB, work_groups: 1, local: 1}, name: r, queue: q}, {kernel: l, device: d0, queue: q}]\n");
  const auto& all = run.result.all;
  for (std::size_t i = 0; i < 6; ++i) CHECK(all.launches[i].is_critical());
  CHECK(all.critical_path.size() == 9);
}
