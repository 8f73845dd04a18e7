#include <gdsim/base/arithmetic.hpp>

#include <catch2/catch.hpp>

using namespace gdsim;

TEST_CASE("fractions calculate exactly while they are small in lowest terms") {
  const Fraction half(2, 4);
  CHECK(half.reduced().numerator() == 1);
  CHECK(half.reduced().denominator() == 2);
  CHECK(half + Fraction(1, 3) == Fraction(5, 6));
  CHECK(half - Fraction(1, 3) == Fraction(1, 6));
  CHECK(half * Fraction(2, 3) == Fraction(1, 3));
  CHECK(half / Fraction(2, 3) == Fraction(3, 4));
  CHECK(Fraction(1, 3) < half);
  CHECK_FALSE(half < half);
  CHECK(Fraction(0, 5).is_zero());
  CHECK((half - half).is_zero());
  CHECK(Fraction(0, 5).reduced().denominator() == 1);

  const UInt128 large = (UInt128{1} << 43) + 1;
  CHECK(Fraction(large * 6, large * 4) == Fraction(3, 2));  // no rounding: in lowest terms it is small
  CHECK(Fraction(large, 3) * Fraction(3, large) == Fraction(1, 1));
}

TEST_CASE("what a fraction comes from does not show in what comes of it") {
  // 2/4 and 1/2 are rounded alike, although 2 x (2^43 + 1) has 45 bits.
  const UInt128 large = (UInt128{1} << 43) + 1;
  const Fraction a = Fraction(1, 2) * Fraction(large, 5);
  const Fraction b = Fraction(2, 4) * Fraction(large, 5);
  CHECK(a.reduced().numerator() == b.reduced().numerator());
  CHECK(a.reduced().denominator() == b.reduced().denominator());
  CHECK(a == Fraction(large, 10));
}

TEST_CASE("a fraction that needs more than 44 bits is rounded, and never becomes 0") {
  const UInt128 large = (UInt128{1} << 100) + 1;
  const Fraction rounded(large, UInt128{1} << 99);
  CHECK(rounded == Fraction(2, 1));
  const Fraction tiny(1, UInt128{1} << 100);
  CHECK_FALSE(tiny.is_zero());
  CHECK(tiny < Fraction(1, 1'000'000));
}

TEST_CASE("what a fraction has beyond 44 bits is cut off") {
  const UInt128 power = UInt128{1} << 44;
  const Fraction cut = Fraction(power + 1, power - 1).reduced();
  CHECK(cut.numerator() == (std::uint64_t{1} << 43));
  CHECK(cut.denominator() == (std::uint64_t{1} << 43) - 1);
}
