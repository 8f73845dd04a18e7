#include <gdsim/base/decimal.hpp>

#include <catch2/catch.hpp>

using namespace gdsim;

TEST_CASE("128-bit integers are printed in full, the least one included") {
  CHECK(to_text(Int128{0}) == "0");
  CHECK(to_text(Int128{-42}) == "-42");
  CHECK(to_text(Int128{1} << 100) == "1267650600228229401496703205376");
  CHECK(to_text(static_cast<Int128>(UInt128{1} << 127)) == "-170141183460469231731687303715884105728");
}
