#include "support/builders.hpp"
#include "support/scenarios.hpp"

#include <gdsim/run/simulate.hpp>
#include <gdsim/scenario/compile_scenario.hpp>

#include <catch2/catch.hpp>

#include <string>
#include <vector>

using namespace gdsim;
using namespace gdsim::testing;

namespace {

/// On a device with one copy engine of 1 GB/s, and a kernel that takes 1 ms.
std::string with_buffers(const std::string& buffers, const std::string& launches) {
  return "scenario: Buffers\ndevice: {base: tiny, copy: {engines: 1, bandwidth: 1 GB/s}}\nbuffers: " + buffers +
         "\nkernels: {k: {global: 8, local: 8, sub_group: 8, program: [compute: 1 ms]}}\nlaunches:\n" + launches;
}

std::vector<std::string> launch_names(const Scenario& scenario) {
  std::vector<std::string> names;
  for (const Launch& launch : scenario.workload.launches) names.push_back(launch.name);
  return names;
}

Duration duration_of(const std::string& text) {
  const ReadText read = read_text(text);
  INFO(read.problems);
  REQUIRE(read.problems.empty());
  return simulate(compile_scenario(read.scenario())).record.duration();
}

}  // namespace

TEST_CASE("a buffer on the host is copied before the first kernel that reads it, and back once a kernel wrote it") {
  const std::string text = with_buffers("{a: {bytes: 1000000 B, on: host}, b: {bytes: 2000000 B}}",
                                        "  - {kernel: k, name: first, reads: [a], writes: [b]}\n"
                                        "  - {kernel: k, name: second, reads: [a, b]}\n");
  const ReadText read = read_text(text);
  REQUIRE(read.problems.empty());
  CHECK(launch_names(read.scenario()) == std::vector<std::string>{"a_to_device", "first", "second", "b_to_host"});
  // Copy 1 ms, first 1 ms; then b is written back for 2 ms beside the second kernel.
  CHECK(duration_of(text) == ms(4));
}

TEST_CASE("a buffer on the device is never copied, and one that the host holds up to date is not written back") {
  CHECK(duration_of(with_buffers("{a: {bytes: 1 GiB, on: device}}", "  - {kernel: k, reads: [a], writes: [a]}\n")) ==
        ms(1));
  const ReadText copied =
      read_text(with_buffers("{a: {bytes: 1000 B}}",
                             "  - {kernel: k, writes: [a]}\n"
                             "  - {copy: {bytes: 1000 B, direction: device_to_host}, reads: [a]}\n"));
  REQUIRE(copied.problems.empty());
  CHECK(launch_names(copied.scenario()) == std::vector<std::string>{"k", "copy"});
}

TEST_CASE("the copy to the device is submitted when its kernel is") {
  const ReadText read = read_text(with_buffers(
      "{a: {bytes: 1000 B}}", "  - {kernel: k, name: z}\n  - {kernel: k, at: 5 us, reads: [a], wait: [z]}\n"));
  REQUIRE(read.problems.empty());
  const Launch& copy = read.scenario().workload.launches[1];
  CHECK(copy.name == "a_to_device");
  CHECK(copy.at == SimTime{5'000'000});
  CHECK(copy.host_waits.size() == 1);
}

TEST_CASE("of a shared allocation the touched pages are copied, one after the other") {
  // Four pages of 500,000 B, of which 1.2 MB touch three: 3 x 0.5 ms and 1 ms; read only, so nothing goes back.
  CHECK(duration_of(with_buffers("{a: {bytes: 2000000 B, page: 500000 B, touched: 1200000 B}}",
                                 "  - {kernel: k, reads: [a]}\n")) == ms(1) + us(1500));
}

TEST_CASE("buffers that cannot be are refused at their place") {
  const auto problems = [](const std::string& buffers) {
    return read_text(with_buffers(buffers, "  - {kernel: k, reads: [a]}\n")).problems;
  };
  CHECK_THAT(problems("{a: {on: host}}"), Catch::StartsWith("3:14: buffer: the key 'bytes' is missing"));
  CHECK_THAT(problems("{a: {bytes: 1 KiB, on: disk}}"), Catch::StartsWith("3:33: on: "));
  CHECK_THAT(problems("{a: {bytes: 1 KiB}, b: {bytes: 1 KiB}}"),
             Catch::StartsWith("3:30: buffers: no launch reads or writes 'b'") && Catch::Contains("reads: [b]"));
  CHECK_THAT(problems("{a: {bytes: 1 KiB, touched: 1 B}}"),
             Catch::StartsWith("3:38: touched: ") && Catch::Contains("`page: 64 KiB`"));
  CHECK_THAT(problems("{a: {bytes: 1 KiB, page: 2 KiB}}"), Catch::StartsWith("3:35: page: "));
  CHECK_THAT(problems("{b: {bytes: 1 KiB}}"), Catch::Contains("there is no buffer 'a' under `buffers`; known: b") &&
                                                  Catch::Contains("`a: {bytes: 64 MiB, on: device}`"));
  CHECK_THAT(read_text(with_buffers("{a: {bytes: 1 KiB}}", "  - {kernel: k, reads: [a], name: a_to_host}\n")).problems,
             Catch::Contains("'a_to_host' is the name of the copy that gdsim adds for the buffer 'a'"));
}

TEST_CASE("a copy of the user's own counts by its direction, however it lists the buffer") {
  // The host's content is old after k, and a copy to the device does not change that.
  const ReadText read = read_text(with_buffers("{a: {bytes: 1000 B}}",
                                               "  - {kernel: k, writes: [a]}\n"
                                               "  - {copy: {bytes: 1000 B, direction: host_to_device}, reads: [a]}\n"));
  REQUIRE(read.problems.empty());
  CHECK(launch_names(read.scenario()) == std::vector<std::string>{"k", "copy", "a_to_host"});
}

TEST_CASE("buffers that take more than the device's memory are refused, and without its capacity none are") {
  const std::string kernel = "\nkernels: {k: {global: 8, local: 8, sub_group: 8, program: [compute: 1 ms]}}\n";
  const auto problems = [&](const std::string& capacity, const std::string& buffers, const std::string& launches) {
    return read_text("scenario: s\ndevice: {base: tiny, copy: {engines: 1, bandwidth: 1 GB/s}, memory: {" + capacity +
                     "levels: [{name: L, bandwidth: 1 GB/s}]}}\n" + buffers + kernel + "launches:\n" + launches)
        .problems;
  };
  const std::string both = "buffers: {a: {bytes: 3 KiB}, b: {bytes: 2 KiB, on: device}}";
  const std::string reads = "  - {kernel: k, reads: [a, b]}\n";
  CHECK(problems("capacity: 5 KiB, ", both, reads).empty());
  CHECK(problems("", both, reads).empty());
  CHECK_THAT(
      problems("capacity: 5119 B, ", both, reads),
      Catch::Contains("the buffers take more than the 5119 B of the device's memory: a 3 KiB, b 2 KiB; name fewer, "
                      "or, if your card has more, write `device: {base: tiny, memory: {capacity: 1 GiB}}`"));
  // Of a shared allocation, the pages that are touched.
  CHECK(problems("capacity: 5 KiB, ", "buffers: {a: {bytes: 9 KiB, page: 1 KiB, touched: 4500 B}}",
                 "  - {kernel: k, reads: [a]}\n")
            .empty());
  // A copy shows how large the buffer is that it fills.
  CHECK_THAT(problems("capacity: 1 KiB, ", "", "  - {copy: {bytes: 2 KiB, direction: host_to_device}, writes: [a]}\n"),
             Catch::Contains("a 2 KiB"));
  // What it reads to the device, or writes to the host, lies in the host's memory.
  CHECK(
      problems("capacity: 1 KiB, ", "", "  - {copy: {bytes: 2 KiB, direction: host_to_device}, reads: [a]}\n").empty());
  CHECK(problems("capacity: 1 KiB, ", "", "  - {copy: {bytes: 2 KiB, direction: device_to_host}, writes: [a]}\n")
            .empty());
  CHECK_THAT(problems("capacity: 1 KiB, ", "",
                      "  - {copy: {bytes: 2 KiB, direction: device_to_host}, reads: [d], writes: [h]}\n"),
             Catch::Contains("memory: d 2 KiB; name fewer"));
}

TEST_CASE("of buffers that take too much eight are listed, with a capacity that holds them, if a card can have it") {
  const auto problems = [](int count, const std::string& bytes) {
    std::string buffers, names;
    for (int i = 0; i < count; ++i) {
      const std::string name = "b" + std::to_string(i);
      buffers += (i == 0 ? "" : ", ") + name + ": {on: device, bytes: " + bytes + "}";
      names += (i == 0 ? "" : ", ") + name;
    }
    return read_text(
               "scenario: s\ndevice: {base: tiny, memory: {capacity: 1 GiB, levels: [{name: L, bandwidth: 1 GB/s}]}}"
               "\nbuffers: {" +
               buffers + "}\nkernels: {k: {global: 8, local: 8, sub_group: 8, program: [compute: 1 ms]}}\n" +
               "launches: [{kernel: k, reads: [" + names + "]}]\n")
        .problems;
  };
  // 10 times 1537 MiB are a little more than 15 GiB.
  CHECK_THAT(problems(10, "1537 MiB"), Catch::Contains("b7 1537 MiB and 2 more; name fewer, or") &&
                                           Catch::Contains("capacity: 16 GiB") && !Catch::Contains("b8"));
  CHECK_THAT(problems(2, "512 GiB"), Catch::Contains("capacity: 1024 GiB"));
  CHECK_THAT(problems(2, "513 GiB"), Catch::Contains("b1 513 GiB; name fewer") && !Catch::Contains("your card"));
  // Two pages take more than all of it, and more than 63 bits.
  CHECK_THAT(problems(1, "9223372036854775807 B, page: 9223372036854775806 B"),
             Catch::Contains("b0 9223372036854775807 B; name fewer"));
}
