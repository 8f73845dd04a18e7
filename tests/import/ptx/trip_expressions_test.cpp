#include "import/ptx/ptx_texts.hpp"

#include <gdsim/import/ptx/trips/trip_expressions.hpp>

#include <catch2/catch.hpp>

// Trip counts as expressions of an argument: right at every value, or a number.

using namespace gdsim;
using namespace gdsim::testing;

namespace {

/// `for (i = 0; i < LIMIT; i += STEP)`; `limit`: PTX that sets %n from the arguments 0 and 1.
std::string counting_loop(const std::string& step, const std::string& limit) {
  return ptx_of(".param .u32 a, .param .u32 b", "ld.param.u32 %a, [a];\nld.param.u32 %b, [b];\n" + limit +
                                                    "mov.u32 %i, 0;\n"
                                                    "setp.ge.s32 %p0, 0, %n;\n@%p0 bra $out;\n"
                                                    "$head:\nadd.s32 %i, %i, " +
                                                    step + ";\nsetp.lt.s32 %p, %i, %n;\n@%p bra $head;\n$out:\nret;\n");
}

LoopTrips trips(const std::string& text, std::uint64_t a, std::uint64_t b) {
  PtxLaunch launch;
  launch.block = {64, 1, 1};
  launch.arguments = {{{0, 0}, a}, {{1, 0}, b}};
  const Executed run = executed(text, launch);
  REQUIRE(run.unresolved.empty());
  return trip_expressions(*run.kernel, launch, *run.log, *run.source);
}

}  // namespace

TEST_CASE("a trip count that rounds up is right at every value of the argument, whichever one was given") {
  const std::string text = counting_loop("32", "mov.u32 %n, %a;\n");
  for (const std::uint64_t given : {1, 31, 32, 33, 96, 100, 127, 4096, 4099}) {
    INFO(given);
    const LoopTrips found = trips(text, given, 1);
    REQUIRE(found.expressions.count(0) == 1);
    const TripExpression& line = found.expressions.at(0);
    CHECK(line.argument == 0);
    for (std::int64_t value = 0; value < 300; ++value) CHECK(line.trips_at(value) == (value + 31) / 32);
  }
}

TEST_CASE("a step that is no power of two is found, and a count that would be negative is 0") {
  const LoopTrips found = trips(counting_loop("24", "sub.s32 %n, %a, 7;\n"), 1000, 1);
  REQUIRE(found.expressions.count(0) == 1);
  for (std::int64_t value = 0; value < 300; ++value)
    CHECK(found.expressions.at(0).trips_at(value) == (value <= 7 ? 0 : (value - 7 + 23) / 24));
}

TEST_CASE("a count that grows by several with an argument is found") {
  const LoopTrips found = trips(counting_loop("1", "mad.lo.s32 %n, %a, 3, 5;\n"), 100, 1);
  REQUIRE(found.expressions.count(0) == 1);
  CHECK(found.expressions.at(0).trips_at(100) == 305);
  CHECK(found.expressions.at(0).trips_at(7) == 26);
}

TEST_CASE("a loop that two arguments change has no expression of one, whether they are multiples of 4 or not") {
  const std::string text = counting_loop("1", "mul.lo.s32 %n, %a, %b;\n");
  for (const std::uint64_t second : {3, 4, 6, 8}) {
    INFO(second);
    const LoopTrips found = trips(text, 64, second);
    CHECK(found.expressions.empty());
    REQUIRE(found.fixed.count(0) == 1);
    CHECK(found.fixed.at(0) == "changes with arg0 and arg1: no expression of one");
  }
}

TEST_CASE("a count that no line gives is a number with the reason") {
  const LoopTrips found = trips(counting_loop("1", "mul.lo.s32 %n, %a, %a;\n"), 12, 1);
  CHECK(found.expressions.empty());
  CHECK(found.fixed.at(0) == "changes with arg0, by no expression that was found");
}

TEST_CASE("a loop that no argument changes has neither expression nor reason") {
  const LoopTrips found = trips(counting_loop("1", "mov.u32 %n, 17;\n"), 12, 5);
  CHECK(found.expressions.empty());
  CHECK(found.fixed.empty());
  CHECK(found.notes.empty());
}

TEST_CASE("a loop that is entered with another value of an argument only is noted") {
  const LoopTrips found = trips(counting_loop("1", "and.b32 %n, %a, 3;\n"), 64, 1);
  CHECK(found.expressions.empty());
  REQUIRE(found.notes.size() == 1);
  CHECK(found.notes.front().find("the loop of line 12 is not entered with these arguments") == 0);
}
