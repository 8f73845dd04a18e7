#include "support/any_draw.hpp"
#include "support/builders.hpp"
#include "support/random_values.hpp"

#include <gdsim/model/random/many_factors.hpp>

#include <rapidcheck/catch.h>
#include <catch2/catch.hpp>

#include <cstddef>
#include <cstdint>

using namespace gdsim;
using namespace gdsim::testing;

TEST_CASE("factors that are drawn together are those that are drawn one by one") {
  rc::prop("of work-groups that follow each other, and of their threads", [] {
    const FactorDraw draw(any_draw());
    const auto first = one_of<std::uint64_t>({0, 77, 0xFFFF'FFE0, 0x7'FFFF'FFFF}) + between<std::uint64_t>(0, 9);
    const Sample sample{launch(between(0U, 5U)), group(first), between(0U, 3U)};
    const unsigned thread_bits = between(0U, 8U);
    const FactorsAtOnce together = many_factors(draw, sample, thread_bits);
    for (std::size_t i = 0; i < together.size(); ++i) {
      const auto thread = static_cast<std::uint32_t>(sample.thread + i % (std::size_t{1} << thread_bits));
      RC_ASSERT(DrawnFactor{together[i]} == draw.factor({sample.launch, group(first + (i >> thread_bits)), thread}));
    }
  });
}
