#include <gdsim/base/diagnostic.hpp>
#include <gdsim/calibrate/time_model.hpp>

#include <catch2/catch.hpp>

// Ranges of parameters: how they are read, counted and written.

using namespace gdsim;
using Catch::Matchers::Contains;

namespace {

std::string refusal(const char* text) {
  try {
    static_cast<void>(parse_fit_range(text));
    return {};
  } catch (const InputError& error) {
    return error.what();
  }
}

}  // namespace

TEST_CASE("a range has steps of the last decimal with which it is written, and one unit") {
  const FitRange range = parse_fit_range("device.clock=0.50 GHz..2 GHz");
  CHECK(range.path == "device.clock");
  CHECK(range.low == 50);
  CHECK(range.high == 200);
  CHECK(range.text(125) == "1.25 GHz");
  CHECK(range.text(200) == "2 GHz");
  CHECK(parse_fit_range("k=64..512 B").text(100) == "100 B");
  CHECK(parse_fit_range("tile=1..8").text(3) == "3");
}

TEST_CASE("a value that is written otherwise is found in the range, or is none of it") {
  const FitRange range = parse_fit_range("x=0.50 us..2.00 us");
  CHECK(range.steps_of("1.5 us") == 150);
  CHECK(range.steps_of("3 us") < range.low);
  CHECK(range.steps_of("1 ns") < range.low);
  CHECK(range.steps_of("many") < range.low);
}

TEST_CASE("places go evenly through a short range, and by factors through one of ten times and more") {
  CHECK(parse_fit_range("x=10..20").at(0.5) == 15);
  CHECK(parse_fit_range("x=10..1000").at(0.5) == 100);
  CHECK(parse_fit_range("x=0..1000").at(0.5) == 500);
  const FitRange range = parse_fit_range("x=10..1000");
  CHECK(range.at(range.place_of(321)) == 321);
  CHECK(range.at(-1) == 10);
  CHECK(range.at(2) == 1000);
}

TEST_CASE("what is no range is refused with a line to paste") {
  for (const char* text : {"x", "=1..2", "x=1", "x=2..1", "x=1..1", "x=a..b", "x=1 us..2 ns", "x=..", "x=1..",
                           "x=0.00000000001..1", "x=1..99999999999999999999"}) {
    INFO(text);
    CHECK_THAT(refusal(text), Contains("--fit") && Contains("64 B..512 B"));
  }
}
