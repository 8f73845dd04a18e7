#include <gdsim/base/diagnostic.hpp>
#include <gdsim/points/point_space.hpp>

#include <catch2/catch.hpp>

using namespace gdsim;

namespace {

using Values = std::vector<std::string>;

Values values(const std::string& list) { return parse_axis("x=" + list).values; }

std::string problem(const std::string& text) {
  try {
    parse_axis(text);
    return "none";
  } catch (const InputError& error) {
    return error.problems().front().message;
  }
}

}  // namespace

TEST_CASE("a list has its values in order, between commas or, if one stands there, semicolons") {
  CHECK(parse_axis("kernels.k.local = 8,16, 32").name == "kernels.k.local");
  CHECK(values("8,16, 32") == Values{"8", "16", "32"});
  CHECK(values("a100-80gb,h100-sxm") == Values{"a100-80gb", "h100-sxm"});
  CHECK(values("[8,8];[16,16]") == Values{"[8,8]", "[16,16]"});
  CHECK(values("[8,8],[16,16]") == Values{"[8,8]", "[16,16]"});
  CHECK(values("4 KiB,8 KiB") == Values{"4 KiB", "8 KiB"});
}

TEST_CASE("a range multiplies or adds, and includes its end only if that is hit") {
  CHECK(values("32..256*2") == Values{"32", "64", "128", "256"});
  CHECK(values("32..255*2") == Values{"32", "64", "128"});
  CHECK(values("64..256+64") == Values{"64", "128", "192", "256"});
  CHECK(values("64..200+64") == Values{"64", "128", "192"});
  CHECK(values("0.1..0.5+0.2") == Values{"0.1", "0.3", "0.5"});
  CHECK(values("1..3*1.5") == Values{"1", "1.5", "2.25"});
  CHECK(values("1,4..8+2,100") == Values{"1", "4", "6", "8", "100"});
  CHECK(values("5..5+1") == Values{"5"});
}

TEST_CASE("a range that adds may begin below 0, and goes through 0 exactly") {
  CHECK(values("-4..4+1") == Values{"-4", "-3", "-2", "-1", "0", "1", "2", "3", "4"});
  CHECK(values("-0.5..0.4+0.25") == Values{"-0.5", "-0.25", "0", "0.25"});
  CHECK(values("-0.3..0.3+0.2") == Values{"-0.3", "-0.1", "0.1", "0.3"});
  CHECK(values("-3..-1+1") == Values{"-3", "-2", "-1"});
  CHECK(values("-1000000000000..1+1000000000000") == Values{"-1000000000000", "0"});
  CHECK(values("-0..1+1") == Values{"0", "1"});
  CHECK_THAT(problem("x=1..-3+1"), Catch::Contains("'1..-3+1' ends before it begins"));
  CHECK_THAT(problem("x=-1..-3+1"), Catch::Contains("'-1..-3+1' ends before it begins"));
  CHECK_THAT(problem("x=-4..4+-1"), Catch::Contains("never ends: the step must be more than 0"));
  CHECK_THAT(problem("x=-4..4*2"),
             Catch::Contains("never ends: the step must be more than 1, and the first value more than 0"));
  CHECK_THAT(problem("x=-4..4"), Catch::Contains("'-4..4' has no step; write -4..4*2 or -4..4+1"));
  CHECK_THAT(problem("x=-4..4+1 us"),
             Catch::Contains("begins below 0, where no quantity is; begin it at 0 us or more"));
  CHECK_THAT(problem("x=--4..4+1"), Catch::Contains("begins as a formula does in a spreadsheet"));
}

TEST_CASE("the values of a range have its unit") {
  CHECK(values("4..16*2 KiB") == Values{"4 KiB", "8 KiB", "16 KiB"});
  CHECK(values("4 KiB..16 KiB*2") == Values{"4 KiB", "8 KiB", "16 KiB"});
  CHECK(values("4..16 KiB*2") == Values{"4 KiB", "8 KiB", "16 KiB"});
  CHECK(values("1 us..3 us+1 us") == Values{"1 us", "2 us", "3 us"});
}

TEST_CASE("a list that cannot be read says why, with an example") {
  CHECK_THAT(problem("8,16"), Catch::Contains("--vary '8,16' is not NAME=LIST, as in tile=8,16,32"));
  CHECK_THAT(problem("=8"), Catch::Contains("is not NAME=LIST"));
  CHECK_THAT(problem("x="), Catch::Contains("a value is empty"));
  CHECK_THAT(problem("x=1,,2"), Catch::Contains("a value is empty"));
  CHECK_THAT(problem("x=1..8"), Catch::Contains("'1..8' has no step; write 1..8*2 or 1..8+1"));
  CHECK_THAT(problem("x=8..1*2"), Catch::Contains("ends before it begins"));
  CHECK_THAT(problem("x=1..8*1"), Catch::Contains("never ends"));
  CHECK_THAT(problem("x=0..8*2"), Catch::Contains("never ends"));
  CHECK_THAT(problem("x=1..8+0"), Catch::Contains("never ends"));
  CHECK_THAT(problem("x=1 KiB..8 MiB*2"), Catch::Contains("mixes units"));
  CHECK_THAT(problem("x=1..a+2"), Catch::Contains("is no range of numbers"));
  CHECK_THAT(problem("x==2 * y"), Catch::Contains("begins as a formula does in a spreadsheet"));
  CHECK(values("-3,-2") == Values{"-3", "-2"});
  CHECK_THAT(problem("x=1,2,1"), Catch::Contains("the value '1' stands there twice"));
  CHECK_THAT(problem("x=1..2000000+1"), Catch::Contains("more than 1000000 values"));
}
