#include "support/scenarios.hpp"
#include "support/texts.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <string>
#include <vector>

// Scenarios of several devices: what is read, and what is refused with its place.

using namespace gdsim;
using namespace gdsim::testing;
using Catch::Contains;

namespace {

const std::string kHead =
    "scenario: S\n"
    "devices: {a: tiny, b: {base: tiny, cores: 2}}\n"
    "links: [{between: [a, b], bandwidth: 1 GB/s, latency: 1 us}]\n"
    "kernels: {k: {global: 8, local: 8, sub_group: 8, program: [compute: 1 us]}}\n";
const std::string kBoth = "{kernel: k, device: a}, {kernel: k, device: b}";

std::string problems_of(const std::string& launches, const std::string& head = kHead) {
  return read_text(head + "launches: [" + launches + "]\n").problems;
}

std::string collective(const std::string& keys) {
  return kBoth + ", {collective: {bytes: 1 KiB, work_groups: 1, local: 8, " + keys + "}}";
}

}  // namespace

TEST_CASE("each device has a scenario of its own, in which the launches of the others are elsewhere") {
  const ReadText read = read_text(kHead + "launches: [" + kBoth + ", {copy: {bytes: 1 KiB, from: b, to: a}}]\n");
  INFO(read.problems);
  const Scenario& all = read.scenario();
  REQUIRE(all.devices.size() == 2);
  CHECK(all.devices[1].device_name == "b");
  CHECK(all.devices[1].device.cores == 2);
  const auto& launches = all.devices[1].workload.launches;
  REQUIRE(launches.size() == 3);
  CHECK(launches[0].is_remote());
  CHECK(launches[1].name == "k#2");
  CHECK(launches[1].is_kernel());
  CHECK(launches[2].is_link_copy());
  CHECK(launches[2].as_copy().device == DeviceId{0});
  CHECK(all.links.at(0).bandwidth == BytesPerSecond{1'000'000'000});
}

TEST_CASE("a kernel is checked only on the devices that run it") {
  const std::string head = replaced(kHead, "{k: {",
                                    "{wide: {global: 8, local: 8, sub_group: 8, registers: 9, program: "
                                    "[compute: 1 us]}, k: {");
  CHECK(read_text(head + "launches: [" + kBoth + "]\n").problems ==
        read_text(head + "launches: [" + kBoth + ", {kernel: wide, device: a}]\n").problems);
}

TEST_CASE("a kernel that is not launched may launch one that another device runs") {
  const std::string head =
      replaced(kHead, "{k: {",
               "{unused: {global: 8, local: 8, sub_group: 8, program: [compute: 1 us, launch: {kernel: "
               "l}]}, l: {global: 8, local: 8, sub_group: 8, program: [compute: 1 us]}, k: {");
  CHECK(problems_of("{kernel: k, device: a}, {kernel: l, device: b}", head) == "");
}

TEST_CASE("launches say on which device they are") {
  CHECK_THAT(problems_of("{kernel: k}, " + kBoth), Contains("launch: the key 'device' is missing; known: a, b"));
  CHECK_THAT(problems_of("{kernel: k, device: c}, " + kBoth),
             Contains("5:32: device: there is no device 'c'; known: a, b"));
  CHECK_THAT(read_text(plain_scenario() + "queues: {}\n").problems, !Contains("device"));
  CHECK_THAT(read_text("scenario: S\ndevice: tiny\nkernels: {k: {global: 8, local: 8, sub_group: 8, program: [compute: "
                       "1 us]}}\nlaunches: [{kernel: k, device: a}]\n")
                 .problems,
             Contains("names one of `devices:`, which this scenario does not have"));
  CHECK_THAT(problems_of("{kernel: k, device: a}"), Contains("no launch is on b; give it one, `device: b`"));
}

TEST_CASE("what is wrong on several devices is reported once") {
  const std::string problems = problems_of("{kernel: unknown, device: a, nonsense: 1}, " + kBoth);
  CHECK(problems.find("nonsense") == problems.rfind("'nonsense'") + 1);
}

TEST_CASE("what is of one device is refused beside several") {
  CHECK_THAT(problems_of(kBoth, kHead + "device: tiny\n"), Contains("`device:` or `devices:`, not both"));
  CHECK_THAT(
      problems_of(kBoth, kHead + "repeat: 3\n"),
      Contains("runs are repeated with one device only; leave it out (`gdsim explain` says how far other seeds"));
  CHECK_THAT(problems_of(kBoth, kHead + "queues: {q: {graph: true}}\n"), Contains("graphs are of one device"));
  CHECK_THAT(problems_of(kBoth, kHead + "expect: [{phases: [1]}]\n"), Contains("phases is of one device"));
  CHECK_THAT(problems_of(kBoth, replaced(kHead, "cores: 2", "submit_overhead: 1 us")),
             Contains("one host submits to all devices: write one value for all"));
  CHECK_THAT(problems_of(kBoth, replaced(kHead, "devices: {a: tiny, b: {base: tiny, cores: 2}}", "devices: {}")),
             Contains("devices"));
}

TEST_CASE("a trigger does not reach another device") {
  CHECK_THAT(
      problems_of("{kernel: k, device: a}, {kernel: k, name: t, device: b, after: [{launch: k, when: triggered}]}"),
      Contains("is of another device, whose triggers do not come here; wait for its end, as in `after: [k]`"));
}

TEST_CASE("copies between devices need both ends, and a link") {
  CHECK_THAT(problems_of(kBoth + ", {copy: {bytes: 1 KiB, from: a}}"), Contains("'to'"));
  CHECK_THAT(problems_of(kBoth + ", {copy: {bytes: 1 KiB, from: a, to: a}}"), Contains("goes to another one"));
  CHECK_THAT(problems_of(kBoth + ", {copy: {bytes: 1 KiB, from: a, to: b, direction: host_to_device}}"),
             Contains("leave it out beside `from` and `to`"));
  CHECK_THAT(problems_of(kBoth + ", {copy: {bytes: 1 KiB, from: a, to: b}, device: a}"),
             Contains("leave `device` out"));
  CHECK_THAT(problems_of(kBoth + ", {copy: {bytes: 1 KiB, from: a, to: b}}",
                         replaced(kHead, "links: [{between: [a, b], bandwidth: 1 GB/s, latency: 1 us}]\n", "")),
             Contains("'copy' goes from a to b, which no link connects; add one, as in `links: [{between: [a, b]"));
}

TEST_CASE("links name two devices or more, once each") {
  const auto of = [](const std::string& between) {
    return problems_of(kBoth, replaced(kHead, "between: [a, b]", "between: " + between));
  };
  CHECK_THAT(of("[a]"), Contains("has less than two devices"));
  CHECK_THAT(of("[a, a]"), Contains("is named already"));
  CHECK_THAT(of("[a, c]"), Contains("there is no device 'c'"));
  CHECK_THAT(problems_of(kBoth, replaced(kHead, "1 GB/s", "0 GB/s")), Contains("bandwidth"));
}

TEST_CASE("collectives say what they can be") {
  CHECK(problems_of(collective("kind: all_reduce, devices: [a, b], algorithm: ring")).empty());
  CHECK(problems_of(collective("kind: broadcast, devices: [a, b]")).empty());
  CHECK_THAT(problems_of(collective("kind: gossip, devices: [a, b], algorithm: ring")),
             Contains("all_reduce, all_gather, reduce_scatter, broadcast"));
  CHECK_THAT(problems_of(collective("kind: all_gather, devices: [a, b], algorithm: tree")),
             Contains("tree is for all_reduce and broadcast"));
  CHECK_THAT(problems_of(collective("kind: broadcast, devices: [a, b], algorithm: ring")),
             Contains("write `algorithm: tree`"));
  CHECK_THAT(problems_of(collective("kind: all_reduce, devices: [a], algorithm: ring")), Contains("has less than two"));
  CHECK_THAT(problems_of(collective("kind: all_reduce, devices: [a, a], algorithm: ring")),
             Contains("is a member already"));
  CHECK_THAT(problems_of(kBoth + ", {kernel: k, collective: {kind: all_reduce, bytes: 1 KiB, devices: [a, b], "
                                 "algorithm: ring, work_groups: 1, local: 8}}"),
             Contains("a launch runs a kernel, copies, or is a collective; leave it out"));
  CHECK_THAT(problems_of(kBoth + ", {collective: {kind: all_reduce, bytes: 1 KiB, devices: [a, b], algorithm: ring, "
                                 "work_groups: 100000, local: 8}}"),
             Contains("a collective needs all of them"));
}

TEST_CASE("a value of one device can be set") {
  ReadOptions options;
  options.overrides = {{"devices.a.cores", "3"}};
  const ReadText read = read_text(kHead + "launches: [" + kBoth + "]\n", options);
  INFO(read.problems);
  CHECK(read.scenario().devices[0].device.cores == 3);
  options.overrides = {{"devices.c.cores", "3"}};
  CHECK_THAT(read_text(kHead + "launches: [" + kBoth + "]\n", options).problems, Contains("there is no device 'c'"));
}

TEST_CASE("a launch on each device is one on every device, which waits for its own device's by name") {
  const ReadText read = read_text(kHead +
                                  "launches:\n"
                                  "  - {kernel: k, device: each, name: f, writes: [x]}\n"
                                  "  - {kernel: k, device: each, after: [f], count: 2, reads: [x]}\n"
                                  "  - {collective: {kind: all_reduce, bytes: 1 KiB, devices: [a, b], work_groups: 1, "
                                  "local: 8}, after: [k]}\n"
                                  "  - {kernel: k, device: each, name: u, after: [all_reduce]}\n"
                                  "  - {kernel: k, device: b, name: l, after: [f, u.a]}\n"
                                  "  - {kernel: k, device: a, name: w, wait: [f]}\n");
  REQUIRE(read.problems == "");
  const auto& launches = read.scenario().devices[1].workload.launches;
  std::string names;
  for (const Launch& launch : launches) names += launch.name + " ";
  CHECK(names == "f.a f.b k.a k.b k#2.a k#2.b all_reduce.a all_reduce.b u.a u.b l w ");
  using Ids = std::vector<LaunchId>;
  const auto after = [&](std::size_t i) { return Ids(launches[i].after.begin(), launches[i].after.end()); };
  CHECK(launches[0].is_remote());
  CHECK(launches[1].is_kernel());
  CHECK(after(2) == Ids{LaunchId{0}});
  CHECK(after(5) == Ids{LaunchId{1}});
  CHECK(after(6) == Ids{LaunchId{2}, LaunchId{4}});
  CHECK(after(7) == Ids{LaunchId{3}, LaunchId{5}});
  CHECK(after(9) == Ids{LaunchId{6}, LaunchId{7}});
  CHECK(after(10) == Ids{LaunchId{1}, LaunchId{8}});
  CHECK(Ids(launches[11].host_waits.begin(), launches[11].host_waits.end()) == Ids{LaunchId{0}, LaunchId{1}});
  CHECK(read.scenario().devices[1].workload.buffers == std::vector<std::string>{"x.a", "x.b"});
}

TEST_CASE("buffers beside devices are answered with the launch that copies the first of them") {
  const auto read = [](const std::string& buffers, const std::string& launch) {
    return read_text("scenario: S\ndevices: {left: {base: tiny, copy: {engines: 1, bandwidth: 1 GB/s}}}\n" + buffers +
                     "kernels: {k: {global: 8, local: 8, sub_group: 8, program: [compute: 1 us]}}\nlaunches:\n" +
                     launch + "- {device: left, kernel: k, reads: [x]}\n")
        .problems;
  };
  const std::string line = "- {device: left, copy: {bytes: 2 MiB, direction: host_to_device}, writes: [x]}";
  CHECK_THAT(read("buffers: {x: {bytes: 2 MiB}}\n", ""), Catch::Contains("write each as a launch: `" + line + "`"));
  CHECK(read("", line + "\n").empty());
}

TEST_CASE("what is wrong with a launch on each device is reported once") {
  const std::string problems = problems_of("{kernel: k, device: each, after: [nothing]}");
  CHECK_THAT(problems, Contains("there is no launch 'nothing'"));
  CHECK(std::count(problems.begin(), problems.end(), '\n') <= 1);
  CHECK_THAT(problems_of("{kernel: kk, device: each}"), Contains("there is no kernel 'kk'; known: k"));
  CHECK_THAT(problems_of("{kernel: k, device: a}, {kernel: kk, device: b}"), Contains("there is no kernel 'kk'"));
  CHECK_THAT(problems_of("{kernel: k, device: each, name: f}, {kernel: k, device: a, name: f.a}"),
             Contains("two launches are called 'f.a'"));
  CHECK_THAT(problems_of("{kernel: k, device: every}"), Contains("there is no device 'every'; known: a, b, each"));
}

TEST_CASE("a value that is wrong in one way is reported once") {
  for (const std::string wrong : {"0 B/s", "1 MB"}) {
    const std::string problems = problems_of(kBoth, replaced(kHead, "1 GB/s", wrong));
    INFO(problems);
    CHECK_THAT(problems, Contains("bandwidth"));
    CHECK(problems.find("bandwidth", problems.find("bandwidth") + 9) == std::string::npos);
  }
}
