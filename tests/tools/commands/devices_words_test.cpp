#include "support/process.hpp"
#include "support/temporary_folder.hpp"

#include <catch2/catch.hpp>

#include <string>

// What is said of several devices: findings, notes, explanations, titles on pages.

using namespace gdsim::testing;
using Catch::Contains;

namespace {

/// Two devices, each with a launch of one work-group, and what goes between them.
std::string small_on_two(const std::string& launches, const std::string& bandwidth = "1 GB/s") {
  return "scenario: S\ndevices: {x: tiny, y: tiny}\nlinks: [{between: [x, y], bandwidth: " + bandwidth +
         ", latency: 1 us}]\n"
         "kernels:\n"
         "  k: {global: 8, local: 8, sub_group: 8, slm: 1 KiB, program: [compute: 1 us]}\n"
         "  b: {global: 64, local: 8, sub_group: 1, program: [compute: 200 ns, barrier, compute: 800 ns], variation: "
         "{distribution: uniform, cv: 0.3, per: thread}}\n"
         "launches: [" +
         launches + "]\n";
}

const std::string kExchange =
    "{kernel: k, device: each}, {collective: {kind: all_reduce, bytes: 64 KiB, work_groups: 1, local: 1}, name: r, "
    "after: [k]}";

std::string output_of(const std::string& command, const std::string& text) {
  const TemporaryFolder folder;
  return gdsim_output({command, folder.write("s.yaml", text)});
}

/// The sentences of everything that is changed, also of what saves nothing.
std::string explained(const std::string& text) {
  const TemporaryFolder folder;
  return gdsim_output({"explain", folder.write("s.yaml", text), "--format", "json"});
}

}  // namespace

TEST_CASE("what a collective waits for other devices is no time at a barrier") {
  const std::string text = output_of("run", small_on_two(kExchange, "40 GB/s"));
  CHECK_THAT(text, Contains(" %  links\n") && !Contains("barriers"));
  CHECK_THAT(text,
             Contains("In tables, `stalled_at_barrier` includes the time that collectives wait for other devices"));
}

TEST_CASE("barriers of kernels beside a collective count for themselves") {
  const std::string text = output_of("run", small_on_two(kExchange + ", {kernel: b, device: x}", "40 GB/s"));
  CHECK_THAT(text, Contains(" %  barrier\n"));
  CHECK_THAT(explained(small_on_two(kExchange + ", {kernel: b, device: x}")), Contains("\"Barriers on x: "));
}

TEST_CASE("a change of clocks that differ from device to device names all whose clocks it undoes") {
  const std::string rule = "period: 100 ns, per_busy_context: {1 GHz: 1 W, 500 MHz: 250 mW}}}";
  const auto two = [&](const std::string& second_limit) {
    return "scenario: S\ndevices: {x: {base: tiny, power: {limit: 4 W, " + rule +
           ", y: {base: tiny, power: {limit: " + second_limit + ", " + rule +
           "}\nkernels: {k: {global: 16, local: 4, sub_group: 1, program: [compute: 500 cycles]}, l: {global: 8, "
           "local: 4, sub_group: 1, program: [compute: 700 cycles]}}\n"
           "launches: [{kernel: k, device: x}, {kernel: l, device: y, at: 150 ns}]\n";
  };
  CHECK_THAT(explained(two("4 W")), Contains("\"Clock on x, changed together with y: the clock changes"));
  CHECK_THAT(explained(two("40 W")), Contains("\"Clock on x: the clock changes"));
}

TEST_CASE("a launch of few work-groups is not to blame where most of the time goes into links") {
  const std::string copy =
      "{kernel: k, device: x}, {copy: {bytes: 64 KiB, from: x, to: y}, after: [k]}, {kernel: k, name: l, device: y, "
      "after: [copy]}";
  const std::string text = output_of("run", small_on_two(copy));
  CHECK_THAT(text, Contains(" %  links\n") && !Contains(" %  small\n"));
  const std::string exchange = output_of("run", small_on_two(kExchange));
  CHECK_THAT(exchange, Contains(" %  links\n") && !Contains(" %  small\n"));
  // Over a fast link, the launch is most of the run.
  const std::string fast = output_of("run", small_on_two("{kernel: k, device: each}"));
  CHECK_THAT(fast, Contains(" %  small\n") && !Contains(" %  links\n"));
}

TEST_CASE("explain keeps links and collectives apart, and says on which device a thing is") {
  const std::string text = explained(small_on_two(kExchange));
  CHECK_THAT(text, Contains("Links: 1 collective takes "));
  CHECK_THAT(text, Contains("Collectives: 1 collective holds cores for ") &&
                       Contains("from the first device that joins to the end"));
  CHECK_THAT(text, Contains("\"Allocation of SLM on x: ") && !Contains("\"x: "));
  CHECK_THAT(text, !Contains("of r fit") && !Contains("of r.x fit"));
}

TEST_CASE("a page says of a launch of another device only that it is there") {
  const TemporaryFolder folder;
  const std::string page = (folder.path() / "p.html").string();
  gdsim_output({"report", folder.write("s.yaml", small_on_two(kExchange)), "-o", page});
  const std::string text = read_file(page);
  CHECK_THAT(text, Contains("(on another device)") && !Contains("had not begun"));
  CHECK_THAT(text, Contains("waiting for other devices and for links") && !Contains("stalled at a barrier"));
}

namespace {

/// Whose clock follows power, in periods of this length.
std::string limited_to(const std::string& period) {
  return "{base: tiny, dependency_gap: 8 ns, power: {limit: 12 W, idle: 4 W, period: " + period +
         ", per_busy_context: {500 MHz: 250 mW, 1 GHz: 1 W}}}";
}

const std::string kManyShort =
    "kernels: {k: {global: 12, local: 4, sub_group: 1, program: [compute: 2 cycles]}}\n"
    "queues: {q: {order: in_order}}\n";

}  // namespace

TEST_CASE("a clock that changes too often is refused where the file says its period", "[figures]") {
  const TemporaryFolder folder;
  const std::string one = folder.write("one.yaml", "scenario: S\ndevice: " + limited_to("1 ns") + "\n" + kManyShort +
                                                       "launches: [{kernel: k, queue: q, count: 1200}]\n");
  CHECK_THAT(gdsim_refusal({"run", one}),
             Contains("one.yaml:2:84: error: period: is 1 ns, so the clock changes more than "));
  const std::string two = folder.write(
      "two.yaml", "scenario: S\ndevices:\n  x: tiny\n  y: " + limited_to("1 ns") + "\n" + kManyShort +
                      "launches: [{kernel: k, device: x}, {kernel: k, name: l, device: y, queue: q, count: 1200}]\n");
  for (const std::string command : {"run", "explain"})
    CHECK_THAT(gdsim_refusal({command, two}), Contains("two.yaml:4:81: error: period: is 1 ns"));
}

TEST_CASE("what is said of the clocks of several cases names the case") {
  const std::string text =
      "scenario: S\ndevice: " + limited_to("100 ns") + "\n" + kManyShort +
      "launches: [{kernel: k, queue: q}]\n"
      "cases:\n  - {name: short}\n  - {name: long, set: {kernels.k.program: [compute: 500 cycles]}}\n";
  const std::string out = output_of("run", text);
  CHECK_THAT(out, Contains("\nlong: The clock changes by the declared rule of `power`") && !Contains("\nshort: "));
}

TEST_CASE("a buffer of launches on each device is said not to be that of other launches") {
  const std::string shared =
      "{kernel: k, device: each, writes: [a]}, {kernel: k, name: l, device: y, reads: [a]}, {kernel: k, name: m, "
      "device: x, reads: [a.x]}";
  const std::string note = "Launches with `device: each` have a buffer a of each device's own";
  CHECK_THAT(output_of("run", small_on_two(shared)), Contains(note));
  CHECK_THAT(output_of("explain", small_on_two(shared)), Contains(note));
  CHECK_THAT(output_of("run", small_on_two("{kernel: k, device: each, writes: [a]}, {kernel: k, name: m, device: x, "
                                           "reads: [a.x]}")),
             !Contains(note));
}
