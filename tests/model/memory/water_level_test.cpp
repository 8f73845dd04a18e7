#include <gdsim/model/memory/rate_classes.hpp>

#include <catch2/catch.hpp>

#include <vector>

using namespace gdsim;

namespace {

Fraction whole(std::uint64_t number) { return {number, 1}; }

}  // namespace

TEST_CASE("there is no water level where all threads get their caps") {
  CHECK_FALSE(water_level(std::vector<Demand>(), whole(1)));
  CHECK_FALSE(water_level(std::vector<Demand>{{whole(2), whole(3)}, {whole(4), whole(1)}}, whole(10)));
}

TEST_CASE("a bandwidth is divided by weight") {
  CHECK(water_level(std::vector<Demand>{{whole(9), whole(3)}, {whole(9), whole(1)}}, whole(10)) == Fraction(5, 2));
}

TEST_CASE("what threads with low caps leave raises the level of the others") {
  // Three of weight 2 take 1 each of weight, 6 in all; 4 are left for the last two.
  const std::vector<Demand> demands{{whole(1), whole(6)}, {whole(3), whole(2)}};
  CHECK(water_level(demands, whole(10)) == whole(2));
  CHECK(water_level(demands, Fraction(119, 10)) == Fraction(59, 20));
  CHECK_FALSE(water_level(demands, whole(12)));
}

TEST_CASE("where rounding leaves nothing for the last of them, they get as much as the others and not nothing") {
  // All of the bandwidth is asked for by the first. Times the weight of both, its cap is rounded to less than that.
  const Fraction tiny{1, (std::uint64_t{1} << 40) + 1};
  const std::vector<Demand> demands{{Fraction(1, 1'000), whole(1)}, {whole(1), tiny}};
  CHECK(water_level(demands, Fraction(1, 1'000)) == Fraction(1, 1'000));
}

TEST_CASE("a level is left aside only if it is not near to full") {
  CHECK(demand_of(Fraction(98, 100)) < uncontended_threshold(whole(1)));
  CHECK_FALSE(demand_of(Fraction(995, 1'000)) < uncontended_threshold(whole(1)));
  CHECK_FALSE(demand_of(Fraction(3, 2)) < uncontended_threshold(whole(1)));
  CHECK(uncontended_threshold(Fraction(1, 2'000'000)) == 0);  // so little that a fraction of 44 bits is coarse
}

TEST_CASE("a demand is rounded up") {
  CHECK(demand_of(whole(3)) == UInt128{3} << 40);
  CHECK(demand_of(Fraction(1, 3)) * 3 == (UInt128{1} << 40) + 2);
}
