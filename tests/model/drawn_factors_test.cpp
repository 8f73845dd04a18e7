#include "support/builders.hpp"
#include "support/random_values.hpp"

#include <gdsim/model/drawn_factors.hpp>
#include <gdsim/model/many_factors.hpp>

#include <rapidcheck/catch.h>
#include <catch2/catch.hpp>

#include <cstddef>
#include <cstdint>

using namespace gdsim;
using namespace gdsim::testing;

namespace {

FactorDraw any_draw() {
  return FactorDraw(Draw{one_of({Distribution::uniform, Distribution::normal, Distribution::lognormal}),
                         Decimal{between<std::uint64_t>(1, 90), -2}, DrawPer::thread,
                         *rc::gen::arbitrary<std::uint64_t>()});
}

}  // namespace

TEST_CASE("factors that are drawn together are those that are drawn one by one") {
  rc::prop("of work-groups that follow each other, and of their threads", [] {
    const FactorDraw draw = any_draw();
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

TEST_CASE("a factor that was drawn ahead is the one that is drawn when it is asked for") {
  rc::prop("of work-groups in rising order, of several launches, and of others in between", [] {
    const FactorDraw draw = any_draw();
    DrawnFactors drawn;
    const auto threads = one_of<std::uint32_t>({1, 2, 3, 4, 7, 8, 33, 256, 257, 1'000});
    const std::uint64_t first = one_of<std::uint64_t>({0, 250, 0xFFFF'FF00});
    const std::uint32_t launches = between(1U, 3U);
    for (std::uint64_t number = first; number < first + 600 / threads + 2; ++number)
      for (std::uint32_t thread = 0; thread < threads; ++thread) {
        const bool is_apart = between(0, 30) == 0;
        const Sample sample{launch(between(0U, launches - 1)),
                            group(is_apart ? between<std::uint64_t>(0, 1'000'000) : number), thread};
        const std::uint32_t of_threads = is_apart ? between(thread + 1, threads) : threads;
        RC_ASSERT(drawn.factor(draw, sample, of_threads) == draw.factor(sample));
      }
  });
}
