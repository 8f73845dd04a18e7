#include "support/scenarios.hpp"
#include <gdsim/analysis/comparison.hpp>
#include <gdsim/analysis/notes/device_notes.hpp>
#include <gdsim/analysis/words.hpp>

#include <catch2/catch.hpp>

using namespace gdsim;
using namespace gdsim::testing;

// What has to be known before anything is concluded from a scenario.

namespace {

std::vector<std::string> notes(const std::string& device, const std::string& program, const std::string& more = {},
                               const std::string& launches = "[kernel: k]") {
  const ReadText read =
      read_text("scenario: S\ndevice: " + device + "\nkernels:\n  k: {global: 8, local: 8, sub_group: 8, " +
                "program: " + program + "}\n" + more + "launches: " + launches + "\n");
  INFO(read.problems);
  REQUIRE(read.problems.empty());
  return notes_of(read.scenario().device, read.scenario().workload);
}

std::string memory(const std::string& of_fast, const std::string& of_slow) {
  return "{base: tiny, memory: {levels: [{name: L2, capacity: 1 KiB, bandwidth: 9 GB/s" + of_fast +
         "}, {name: HBM, bandwidth: 1 GB/s" + of_slow + "}]}}";
}

using Lines = std::vector<std::string>;

const std::string kDeclared =
    "The scenario declares the durations of compute steps: the run predicts the shape of occupancy, not wall time";

}  // namespace

TEST_CASE("a device without a total rate of atomic accesses says so beside global atomics") {
  const auto with_atomics = [](const std::string& rates) {
    return notes("{base: tiny, clock: 1 GHz, atomics: {" + rates +
                     "}, memory: {in_flight: 64 B, levels: [{name: HBM, bandwidth: 1 GB/s, latency: 100 ns}]}}",
                 "[atomic: {accesses: 1, addresses: 8, space: global}]");
  };
  CHECK(with_atomics("global: 1, global_total: 8").empty());
  CHECK(with_atomics("global: 1") ==
        Lines{"The model of tiny has no total rate of atomic accesses (`atomics.global_total`). Only the rate of one "
              "address limits atomics, so atomics to many addresses may be too fast here."});
}

TEST_CASE("a device without a rate of floating-point atomics says that they take as long as others") {
  const auto with_floats = [](const std::string& rates) {
    return notes("{base: tiny, clock: 1 GHz, atomics: {global: 1, global_total: 8" + rates +
                     "}, memory: {in_flight: 64 B, levels: [{name: HBM, bandwidth: 1 GB/s, latency: 100 ns}]}}",
                 "[atomic: {accesses: 1, addresses: 8, space: global, type: float}]");
  };
  CHECK(with_floats(", global_float: 0.25").empty());
  CHECK(with_floats("") ==
        Lines{"The model of tiny has no rate of floating-point atomics (`atomics.global_float`). Those take as long "
              "as atomics of integers; on an RTX 3060, they take 3.2 times as long."});
}

TEST_CASE("a device without latencies of instructions says that `dependence` changes nothing") {
  const auto with_chain = [](const std::string& device) {
    return notes("{base: tiny, clock: 1 GHz, arithmetic: {fp32: 8}" + device + "}",
                 "[issue: {fp32: 1024}], dependence: 1");
  };
  CHECK(with_chain(", instruction_latency: {fp32: 4 cycles}").empty());
  CHECK(with_chain("") == Lines{"The model of tiny lacks `instruction_latency`, so `dependence` changes nothing."});
}

TEST_CASE("a clock that changes during the run is noted, and one that changes behind its end is not") {
  const ReadText read = read_text(
      "scenario: S\ndevice: {base: tiny, clock: {at: {0 s: 2 GHz, 1 us: 1 GHz, 2 us: 3 GHz, 3 us: 1 GHz, 4 us: 2 GHz, "
      "5 us: 1 GHz, 6 us: 2 GHz}}}\nkernels:\n  k: {global: 8, local: 8, sub_group: 8, program: [compute: 1 us]}\n"
      "launches: [kernel: k]\n");
  REQUIRE(read.problems.empty());
  const DeviceSpec& device = read.scenario().device;
  RunRecord record;
  record.end = SimTime{999'999};
  CHECK_FALSE(clock_note(device, record));
  record.end = SimTime{1'000'000};
  CHECK_FALSE(clock_note(device, record));
  record.end = SimTime{2'500'000};
  CHECK(clock_note(device, record) ==
        "The clock changes: 2 GHz, 1 GHz from 1 us on, 3 GHz from 2 us on. Cycles follow it; times and bandwidths do "
        "not.");
  record.end = SimTime{9'000'000};
  CHECK(clocks_in_force(device, record) ==
        "2 GHz, 1 GHz from 1 us on, 3 GHz from 2 us on, 1 GHz from 3 us on, 2 GHz from 4 us on, and 2 more");
}

TEST_CASE("a scenario that only declares durations has one note") {
  CHECK(notes("tiny", "[compute: 1 us]") == Lines{kDeclared + "."});
  CHECK(notes("tiny", "[barrier, loop: {count: 3, body: [compute: 100 cycles]}]") == Lines{kDeclared + "."});
}

TEST_CASE("a device without memory latency says so wherever its memory is used") {
  CHECK(notes(memory("", ""), "[memory: 8 B]") ==
        Lines{"The model of tiny has no memory latency. Loads take only the time of their bandwidth, so fewer threads "
              "than on hardware reach the full bandwidth."});
  CHECK_THAT(notes(memory(", latency: 1 ns", ""), "[memory: 8 B]").at(0),
             Catch::StartsWith("The model of tiny has no latency of HBM. "));
  CHECK(notes(memory(", latency: 1 ns", ", latency: 2 ns"), "[memory: 8 B]").empty());
  CHECK(notes(memory("", ""), "[compute: 1 us]") == Lines{kDeclared + "."});
}

TEST_CASE("sectors that are written are noted where the device does not say what they cost") {
  const std::string levels = memory(", latency: 1 ns", ", latency: 2 ns");
  const std::string step = "[memory: {bytes: 32 B, written: {partial: 1}}]";
  CHECK(notes(levels, step) ==
        Lines{"The model of tiny lacks `written_sector` or a bandwidth of L2, so `written` changes nothing."});
  CHECK(notes(levels.substr(0, levels.size() - 1) + ", written_sector: {whole: 32 B, partial: 64 B}}", step).empty());
}

TEST_CASE("instructions without kinds, and declared durations beside other steps, are named with their kernels") {
  CHECK(notes("tiny", "[issue: 8 cycles]") ==
        Lines{"`issue` steps do not say what kinds of instructions they hold. Each instruction takes one issue slot, "
              "and no arithmetic peak limits the run."});
  CHECK(notes("{base: tiny, clock: 1 GHz, arithmetic: {fp32: 8}}", "[issue: {fp32: 8}]").empty());
  CHECK(notes("tiny", "[issue: 8 cycles, compute: 1 us]").at(0) ==
        kDeclared + "; the times of other steps follow from the device model.");
  const std::string other = "  other: {global: 8, local: 8, sub_group: 8, program: [issue: 8 cycles]}\n";
  CHECK(notes("tiny", "[compute: 1 us]", other, "[kernel: k, kernel: other]") ==
        Lines{"The scenario declares the durations of compute steps of k: the run predicts the shape of occupancy, not "
              "wall time; the times of other steps follow from the device model.",
              "`issue` steps of other do not say what kinds of instructions they hold. Each instruction takes one "
              "issue slot, and no arithmetic peak limits the run."});
  // Notes do not mention a kernel that is not launched.
  CHECK(notes("tiny", "[compute: 1 us]", other) == Lines{kDeclared + "."});
}

TEST_CASE("empty lanes are noted where amounts of a whole thread are charged") {
  const auto with_local = [](const std::string& local, const std::string& program) {
    const ReadText read = read_text("scenario: S\ndevice: a100-80gb\nkernels:\n  k: {global: 1056, local: " + local +
                                    ", sub_group: 32, program: " + program + "}\nlaunches: [kernel: k]\n");
    INFO(read.problems);
    REQUIRE(read.problems.empty());
    return notes_of(read.scenario().device, read.scenario().workload);
  };
  CHECK(with_local("33", "[memory: 128 B]") == Lines{"31 of the 64 lanes of a block of k have no work-item. `memory` "
                                                     "and `issue` steps still cost as much as for full warps."});
  CHECK(with_local("32", "[memory: 128 B]").empty());
  CHECK(with_local("33", "[slm: {accesses: 1}]").empty());
}

TEST_CASE("every timer has a source for what it adds") {
  for (const TimerAllowance& timer : timer_allowances()) {
    CHECK(find_timer(timer.name) == &timer);
    CHECK_FALSE(timer.source.empty());
  }
  CHECK(find_timer("nvbench")->adds == Duration{1'400'000});
  CHECK(find_timer("do_bench")->adds == Duration{2'500'000});
  CHECK(find_timer("events")->adds == Duration{4'000'000});
  CHECK(find_timer("profiler")->adds == Duration{});
  CHECK(find_timer("clock") == nullptr);
}

TEST_CASE("a limit of power that cannot be kept under the lowest clock is said, with what the device takes then") {
  DeviceSpec device;
  device.clock = Hertz{1'000'000'000};
  device.power =
      PowerRule{Power{10'000'000}, Power{4'000'000}, Duration{1}, {{Hertz{1'000'000'000}, Power{1'000'000}}}};
  RunRecord record;
  record.peak_resident = 6;
  CHECK_FALSE(power_note(device, record));
  record.peak_resident = 7;
  CHECK(power_note(device, record) ==
        "The limit of `power`, 10 W, cannot be kept: with 7 contexts held, the device takes 11 W under its lowest "
        "clock, 1 "
        "GHz.");
}
