#include "support/builders.hpp"
#include "support/random_values.hpp"

#include <gdsim/run/draws.hpp>
#include <gdsim/run/philox.hpp>

#include <rapidcheck/catch.h>
#include <catch2/catch.hpp>

using namespace gdsim;
using namespace gdsim::testing;

TEST_CASE("Philox gives the blocks that its authors published") {
  // kat_vectors of Random123: philox4x32-10.
  CHECK(philox({0, 0, 0, 0}, 0) == PhiloxBlock{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
  CHECK(philox({0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}, 0xffffffff'ffffffff) ==
        PhiloxBlock{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
  CHECK(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, 0x299f31d0'a4093822) ==
        PhiloxBlock{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
}

TEST_CASE("factors that are drawn together are those that are drawn one by one") {
  rc::prop("of work-groups that follow each other", [] {
    const FactorDraw draw(Draw{one_of({Distribution::uniform, Distribution::normal, Distribution::lognormal}),
                               Decimal{between<std::uint64_t>(1, 90), -2}, DrawPer::work_group,
                               *rc::gen::arbitrary<std::uint64_t>()});
    const auto first = one_of<std::uint64_t>({0, 77, 0xFFFF'FFE0, 0x7'FFFF'FFFF}) + between<std::uint64_t>(0, 9);
    const Drawer drawer{launch(between(0U, 5U)), group(first), between(0U, 3U)};
    const FactorsAtOnce together = draw.factors(drawer);
    for (std::size_t i = 0; i < together.size(); ++i)
      RC_ASSERT(DrawnFactor{together[i]} == draw.factor({drawer.launch, group(first + i), drawer.thread}));
  });
}

TEST_CASE("an amount is multiplied exactly, however large it is") {
  CHECK(scaled(10, DrawnFactor{1'500'000'000}) == 15);
  CHECK(scaled(3, DrawnFactor{500'000'000}) == 2);  // halves up
  CHECK(scaled(1, DrawnFactor{1}) == 1);            // at least 1
  CHECK(scaled(0, kNoFactor) == 0);
  CHECK(scaled(4'000'000'000'000'000'000, DrawnFactor{2'000'000'000}) == 8'000'000'000'000'000'000);
  CHECK(scaled_or_beyond(5'000'000'000'000'000'000, DrawnFactor{2'000'000'000}) == kBeyond);
  CHECK_THROWS_AS(scaled(5'000'000'000'000'000'000, DrawnFactor{2'000'000'000}), TimeOverflowError);
}
