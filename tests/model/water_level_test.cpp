#include <gdsim/model/water_level.hpp>

#include <catch2/catch.hpp>

#include <vector>

using namespace gdsim;

namespace {

Fraction whole(std::uint64_t number) { return {number, 1}; }

}  // namespace

TEST_CASE("there is no water level where all askers get their caps") {
  CHECK_FALSE(water_level(std::vector<Asker>(), whole(1)));
  CHECK_FALSE(water_level(std::vector<Asker>{{whole(2), whole(3)}, {whole(4), whole(1)}}, whole(10)));
}

TEST_CASE("a bandwidth is divided by weight") {
  CHECK(water_level(std::vector<Asker>{{whole(9), whole(3)}, {whole(9), whole(1)}}, whole(10)) == Fraction(5, 2));
}

TEST_CASE("what askers with low caps leave rises the level of the others") {
  // Three of weight 2 take 1 each of weight, 6 in all; 4 are left for the last two.
  const std::vector<Asker> askers{{whole(1), whole(6)}, {whole(3), whole(2)}};
  CHECK(water_level(askers, whole(10)) == whole(2));
  CHECK(water_level(askers, Fraction(119, 10)) == Fraction(59, 20));
  CHECK_FALSE(water_level(askers, whole(12)));
}

TEST_CASE("where rounding leaves nothing for the last of them, they get as much as the others and not nothing") {
  // All of the bandwidth is asked for by the first. Times the weight of both, its cap is rounded to less than that.
  const Fraction tiny{1, (std::uint64_t{1} << 40) + 1};
  const std::vector<Asker> askers{{Fraction(1, 1'000), whole(1)}, {whole(1), tiny}};
  CHECK(water_level(askers, Fraction(1, 1'000)) == Fraction(1, 1'000));
}

TEST_CASE("a level is left aside only if it is not near to full") {
  CHECK(is_far_from_full(0.98, whole(1)));
  CHECK_FALSE(is_far_from_full(0.995, whole(1)));
  CHECK_FALSE(is_far_from_full(1.5, whole(1)));
  CHECK_FALSE(is_far_from_full(0, Fraction(1, 2'000'000)));  // so little that a fraction of 44 bits is coarse
}
