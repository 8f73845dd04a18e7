#include "support/scenarios.hpp"
#include "support/temporary_folder.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace gdsim;
using namespace gdsim::testing;

namespace {

ReadText with_clock(const std::string& clock, const std::string& step = "compute: 1 us", ReadOptions options = {}) {
  return read_text("scenario: S\ndevice: {base: tiny, clock: " + clock +
                       "}\nkernels:\n  k: {global: 8, local: 8, sub_group: 8, program: [" + step +
                       "]}\nlaunches: [kernel: k]\n",
                   std::move(options));
}

std::string problems_of_clock(const std::string& clock, const std::string& step = "compute: 1 us") {
  return with_clock(clock, step).problems;
}

/// Where the device's clock comes from; empty if that is not said.
std::string source_of_clock(const DeviceSpec& device) {
  for (const auto& [key, source] : device.sources)
    if (key == "clock") return source.text;
  return {};
}

}  // namespace

TEST_CASE("a clock is a frequency, or frequencies by the time from which on they are in force") {
  CHECK(with_clock("2 GHz").scenario().device.clock_changes.empty());
  const ReadText read = with_clock("{at: {0 s: 2 GHz, 5 ms: 1.4 GHz, 0.1 s: 1 GHz}}");
  INFO(read.problems);
  REQUIRE(read.problems.empty());
  const DeviceSpec& device = read.scenario().device;
  CHECK(device.clock == Hertz{2'000'000'000});
  REQUIRE(device.clock_changes.size() == 2);
  CHECK(device.clock_changes[0].at == SimTime{5'000'000'000});
  CHECK(device.clock_changes[0].clock == Hertz{1'400'000'000});
  CHECK(device.clock_changes[1].at == SimTime{100'000'000'000});
}

TEST_CASE("one frequency replaces all, and one of several can be set") {
  const std::string changing = "{at: {0 s: 2 GHz, 5 ms: 1 GHz}}";
  const auto with_set = [&](const std::string& path, const std::string& value) {
    ReadOptions options;
    options.overrides.push_back({path, value});
    const ReadText read = with_clock(changing, "compute: 1 us", options);
    INFO(read.problems);
    REQUIRE(read.problems.empty());
    return read.scenario().device;
  };
  CHECK(with_set("device.clock", "3 GHz").clock_changes.empty());
  CHECK(with_set("device.clock.at.5 ms", "1.5 GHz").clock_changes[0].clock == Hertz{1'500'000'000});
}

TEST_CASE("clocks without a start are refused, with a line that has one") {
  CHECK_THAT(problems_of_clock("{at: {5 ms: 1 GHz}}"),
             Catch::Contains("2:35: at: begins at 5 ms; the clock at 0 s is needed, too, as in `clock: {at: {0 s: 1 "
                             "GHz, 5 ms: 1 GHz}}`"));
  CHECK_THAT(problems_of_clock("{at: {}}"),
             Catch::Contains("names no clock; write one or more, as in `clock: {at: {0 s: "));
  CHECK_THAT(problems_of_clock("{}"), Catch::Contains("clock: the key 'at' is missing"));
}

TEST_CASE("times that fall or stand twice are refused, with a line that has them in order") {
  CHECK_THAT(
      problems_of_clock("{at: {0 s: 2 GHz, 5 ms: 1 GHz, 3 ms: 1.5 GHz}}"),
      Catch::Contains("'3 ms' lies before the time of the clock before it; times must ascend: `clock: {at: {0 s: 2 "
                      "GHz, 3 ms: 1.5 GHz, 5 ms: 1 GHz}}`"));
  CHECK_THAT(problems_of_clock("{at: {0 s: 2 GHz, 5 ms: 1 GHz, 5000 us: 1.5 GHz}}"),
             Catch::Contains("'5000 us' is the time of the clock before it; leave one of them out"));
}

TEST_CASE("of times out of order, the first is reported, with a line of at most eight, each time once") {
  std::string clocks = "{at: {0 s: 1 GHz, 0 ns: 1 GHz";
  for (int i = 30; i > 0; --i) clocks += ", " + std::to_string(i) + " us: 2 GHz";
  CHECK(problems_of_clock(clocks + "}}").find("'30 us'") == std::string::npos);
  const std::string problems = problems_of_clock("{at: {" + clocks.substr(clocks.find("0 ns")) + "}}");
  CHECK_THAT(problems, Catch::Contains("'29 us' lies before") && !Catch::Contains("'28 us'"));
  CHECK_THAT(problems, Catch::Contains("{at: {0 s: 1 GHz, 1 us: 2 GHz, 2 us: 2 GHz, 3 us: 2 GHz, 4 us: 2 GHz, 5 us: 2 "
                                       "GHz, 6 us: 2 GHz, 7 us: 2 GHz}}` and so on"));
  CHECK_THAT(problems_of_clock("{at: {2 us: 1 GHz, 1 us: 2 GHz, 1000 ns: 3 GHz}}"),
             Catch::Contains("needed, too, as in `clock: {at: {0 s: 1 GHz, 1 us: 2 GHz, 2 us: 1 GHz}}`"));
}

TEST_CASE("too many clocks are one problem") {
  std::string clocks = "{at: {0 s: 1 GHz";
  for (int i = 1'001; i > 0; --i) clocks += ", " + std::to_string(i) + " us: 0 GHz";
  const std::string problems = problems_of_clock(clocks + "}}");
  CHECK_THAT(problems, Catch::Contains("at: has 1002 clocks; at most 1001 are allowed"));
  CHECK(std::count(problems.begin(), problems.end(), '\n') <= 1);
}

TEST_CASE("a clock that is a list is refused, with the form that most clocks have") {
  CHECK_THAT(problems_of_clock("[1 GHz, 2 GHz]"),
             Catch::Contains("clock: is a list; write a frequency, as in `clock: 1.5 GHz`, or clocks by time, as in "
                             "`clock: {at: {0 s: "));
}

TEST_CASE("the clocks of a device replace those of its base, all of them") {
  const TemporaryFolder folder;
  const std::string base = folder.write(
      "base.yaml",
      "device: base\nname: B\nbase: tiny\nclock: {at: {0 s: 2 GHz, 5 ms: 1 GHz}}\nsources: {clock: of a test}\n");
  const auto device_with = [&](const std::string& clock) {
    const ReadText read = read_text("scenario: S\ndevice: {base: " + base + clock +
                                    "}\nkernels:\n  k: {global: 8, local: 8, sub_group: 8, program: [compute: 1 us]}\n"
                                    "launches: [kernel: k]\n");
    INFO(read.problems);
    REQUIRE(read.problems.empty());
    return read.scenario().device;
  };
  CHECK(source_of_clock(device_with("")) == "of a test");
  const DeviceSpec other = device_with(", clock: {at: {0 s: 3 GHz, 1 ms: 1.5 GHz}}");
  CHECK(other.clock == Hertz{3'000'000'000});
  REQUIRE(other.clock_changes.size() == 1);
  CHECK(other.clock_changes[0].at == SimTime{1'000'000'000});
  CHECK(source_of_clock(other).empty());
  CHECK(device_with(", clock: 4 GHz").clock_changes.empty());
}

TEST_CASE("every time and every clock has a unit, and no clock is 0") {
  const std::string problems = problems_of_clock("{at: {0 s: 0 GHz, 5: 1 GHz, 6 ms: 1}}");
  CHECK_THAT(problems, Catch::Contains("'0 GHz' must be more than 0"));
  CHECK_THAT(problems, Catch::Contains("at: '5' "));
  CHECK_THAT(problems, Catch::Contains("clock: '1' "));
}

TEST_CASE("what cannot be computed under a later clock is refused, and the message says from when on") {
  CHECK_THAT(problems_of_clock("{at: {0 s: 1 GHz, 5 ms: 1000 GHz}}", "compute: 0.1 cycles"),
             Catch::Contains("the duration rounds to 0 ps, from 5 ms on, when the clock is 1000 GHz"));
  CHECK_THAT(problems_of_clock("{at: {0 s: 1 GHz, 5 ms: 2000 GHz}}"), Catch::Contains("clock: is more than 1000 GHz"));
}
