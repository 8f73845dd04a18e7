#include <gdsim/base/fraction.hpp>

#include <catch2/catch.hpp>

using namespace gdsim;

TEST_CASE("fractions are kept in lowest terms and calculate exactly while they are small") {
  const Fraction half(2, 4);
  CHECK(half.numerator() == 1);
  CHECK(half.denominator() == 2);
  CHECK(half + Fraction(1, 3) == Fraction(5, 6));
  CHECK(half - Fraction(1, 3) == Fraction(1, 6));
  CHECK(half * Fraction(2, 3) == Fraction(1, 3));
  CHECK(half / Fraction(2, 3) == Fraction(3, 4));
  CHECK(Fraction(1, 3) < half);
  CHECK_FALSE(half < half);
  CHECK(Fraction(0, 5).is_zero());
}

TEST_CASE("a fraction that needs more than 44 bits is rounded, and never becomes 0") {
  const UInt128 large = (UInt128{1} << 100) + 1;
  const Fraction rounded(large, UInt128{1} << 99);
  CHECK(rounded == Fraction(2, 1));
  const Fraction tiny(1, UInt128{1} << 100);
  CHECK_FALSE(tiny.is_zero());
  CHECK(tiny < Fraction(1, 1'000'000));
}
