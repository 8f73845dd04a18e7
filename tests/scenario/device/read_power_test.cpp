#include "support/scenarios.hpp"

#include <catch2/catch.hpp>

using namespace gdsim;
using namespace gdsim::testing;

namespace {

ReadText with_power(const std::string& power, ReadOptions options = {}) {
  return read_text("scenario: S\ndevice: {base: tiny, clock: 2 GHz, power: " + power +
                       "}\nkernels:\n  k: {global: 8, local: 8, sub_group: 8, program: [compute: 1 us]}\n"
                       "launches: [kernel: k]\n",
                   std::move(options));
}

const std::string kPower = "{limit: 9.5 W, period: 1 ms, per_busy_context: {2 GHz: 3 mW, 1 GHz: 500 uW}}";

}  // namespace

TEST_CASE("power is read with its clocks by rising frequency, and takes nothing when idle by default") {
  const ReadText read = with_power(kPower);
  INFO(read.problems);
  REQUIRE(read.problems.empty());
  const PowerRule& power = read.scenario().device.power.value();
  CHECK(power.limit == Power{9'500'000});
  CHECK(power.idle == Power{0});
  CHECK(power.period == Duration{1'000'000'000});
  REQUIRE(power.levels.size() == 2);
  CHECK(power.levels[0].clock == Hertz{1'000'000'000});
  CHECK(power.levels[0].per_busy_context == Power{500});
  CHECK(power.levels[1].per_busy_context == Power{3'000});
}

TEST_CASE("the limit can be set by itself") {
  ReadOptions options;
  options.overrides.push_back({"device.power.limit", "7 W"});
  const ReadText read = with_power(kPower, options);
  INFO(read.problems);
  REQUIRE(read.problems.empty());
  CHECK(read.scenario().device.power->limit == Power{7'000'000});
}

TEST_CASE("power of a base can be taken away") {
  CHECK_FALSE(with_power("none").scenario().device.power);
  ReadOptions options;
  options.overrides.push_back({"device.power", "none"});
  const ReadText read = with_power(kPower, options);
  INFO(read.problems);
  REQUIRE(read.problems.empty());
  CHECK_FALSE(read.scenario().device.power);
  CHECK_THAT(with_power("7").problems, Catch::Contains("write `none`, or a rule"));
}

TEST_CASE("a program is checked under the lowest clock that power may choose") {
  const std::string slow = "{limit: 1 W, period: 1 ms, per_busy_context: {2 GHz: 3 mW, 1 Hz: 1 mW}}";
  const std::string problems = read_text("scenario: S\ndevice: {base: tiny, clock: 2 GHz, power: " + slow +
                                         "}\nkernels:\n  k: {global: 8, local: 8, sub_group: 8, program: [compute: "
                                         "10000000 cycles]}\nlaunches: [kernel: k]\n")
                                   .problems;
  CHECK_THAT(problems, Catch::Contains(", from 1 ms on, when the clock is 1 Hz"));
}
