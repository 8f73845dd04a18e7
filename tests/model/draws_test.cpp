#include <gdsim/model/draws.hpp>

#include <rapidcheck/catch.h>
#include <catch2/catch.hpp>

using namespace gdsim;

TEST_CASE("Philox gives the blocks that its authors published") {
  // kat_vectors of Random123: philox4x32-10.
  CHECK(philox({0, 0, 0, 0}, 0) == PhiloxBlock{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
  CHECK(philox({0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}, 0xffffffff'ffffffff) ==
        PhiloxBlock{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
  CHECK(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, 0x299f31d0'a4093822) ==
        PhiloxBlock{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
}

TEST_CASE("an amount is multiplied exactly, however large it is") {
  CHECK(scaled(10, DrawnFactor{1'500'000'000}) == 15);
  CHECK(scaled(3, DrawnFactor{500'000'000}) == 2);  // halves up
  CHECK(scaled(1, DrawnFactor{1}) == 1);            // at least 1
  CHECK(scaled(0, kNoFactor) == 0);
  CHECK(scaled(4'000'000'000'000'000'000, DrawnFactor{2'000'000'000}) == 8'000'000'000'000'000'000);
  CHECK(saturating_scale(5'000'000'000'000'000'000, DrawnFactor{2'000'000'000}) == kTimeOverflow);
  CHECK_THROWS_AS(scaled(5'000'000'000'000'000'000, DrawnFactor{2'000'000'000}), TimeOverflowError);
}
