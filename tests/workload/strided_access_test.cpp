#include "support/random_values.hpp"

#include <gdsim/program/work_amounts.hpp>

#include <rapidcheck/catch.h>
#include <catch2/catch.hpp>

#include <set>

using namespace gdsim;
using namespace gdsim::testing;

TEST_CASE("lanes side by side share lines, and lanes a line apart or more move one each") {
  const auto bytes = [](std::uint64_t element, std::uint64_t stride) {
    return strided_bytes({1, Bytes{static_cast<std::int64_t>(element)}, stride}, 32, Bytes{32}).value().count;
  };
  CHECK(bytes(4, 1) == 128);        // 4 lines for 32 elements of 4 bytes
  CHECK(bytes(4, 2) == 256);        // every second element: twice as many
  CHECK(bytes(4, 8) == 1'024);      // a line for each lane
  CHECK(bytes(4, 1'000) == 1'024);  // no more than that
  CHECK(bytes(4, 0) == 32);         // all read one element
  CHECK(bytes(64, 1) == 2'048);     // an element of two lines
  CHECK(strided_bytes({7, Bytes{4}, 1}, 32, Bytes{32}) == Bytes{7 * 128});
  CHECK(strided_bytes({1, Bytes{4}, 1}, 0, Bytes{32}) == Bytes{0});
  CHECK_FALSE(strided_bytes({1, Bytes{4}, 1}, 32, Bytes{0}));
  CHECK_FALSE(strided_bytes({~std::uint64_t{0}, Bytes{4}, 1}, 32, Bytes{32}));
}

TEST_CASE("what threads next to each other move is the lines that their bytes lie in") {
  rc::prop("of any elements, lines and strides", [] {
    const auto line = one_of<std::uint64_t>({1, 32, 48, 64, 128});
    const auto element = one_of<std::uint64_t>({1, 4, 8, 12, 24, 48, 64, 100, 1'024});
    const auto stride = one_of<std::uint64_t>({0, 1, 2, 3, 7, 40, 1'000});
    const auto lanes = between(1U, 40U);
    // So many threads that the first element of the next one begins a line again: what they share is shared out.
    const std::uint64_t threads = stride == 0 || stride * element >= element + line ? 1 : line;
    std::set<std::uint64_t> lines;
    for (std::uint64_t lane = 0; lane < lanes * threads; ++lane)
      for (std::uint64_t at = lane * stride * element / line; at <= (lane * stride * element + element - 1) / line;
           ++at)
        lines.insert(at);
    const std::uint64_t distance = stride * element;
    const std::uint64_t last_gap = distance > element && threads > 1 ? distance - element : 0;
    // A gap behind the last element may hold a line that no access touches.
    const auto moved = static_cast<std::uint64_t>(strided_bytes({1, Bytes{static_cast<std::int64_t>(element)}, stride},
                                                                lanes, Bytes{static_cast<std::int64_t>(line)})
                                                      .value()
                                                      .count);
    RC_ASSERT(moved * threads >= lines.size() * line);
    RC_ASSERT(moved * threads <= lines.size() * line + last_gap);
  });
}
