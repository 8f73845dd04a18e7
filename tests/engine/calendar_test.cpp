#include "support/random_values.hpp"

#include <gdsim/engine/calendar.hpp>

#include <rapidcheck/catch.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <vector>

using namespace gdsim;
using namespace gdsim::testing;

namespace {

std::vector<std::uint32_t> sorted(std::span<const std::uint32_t> members) {
  std::vector<std::uint32_t> all(members.begin(), members.end());
  std::sort(all.begin(), all.end());
  return all;
}

}  // namespace

TEST_CASE("a calendar gives members by time, and together those who come together") {
  Calendar calendar(3, 10);
  calendar.put(0, 7);
  calendar.put(1, 3);
  calendar.put(2, 7);
  CHECK(sorted(calendar.take_before(100)) == std::vector<std::uint32_t>{1});
  CHECK(calendar.time() == 3);
  calendar.put(1, 8);
  CHECK(sorted(calendar.take_before(100)) == std::vector<std::uint32_t>{0, 2});
  CHECK(calendar.time() == 7);
}

TEST_CASE("a calendar gives nobody who does not come before the bound, and keeps him") {
  Calendar calendar(1, 10);
  calendar.put(0, 50);
  CHECK(calendar.take_before(50).empty());
  CHECK(calendar.time_of(0) == 50);
  CHECK(calendar.take_before(51).size() == 1);
}

TEST_CASE("a calendar finds who comes many years later, and at the end of time") {
  Calendar calendar(2, 10);
  calendar.put(0, 1'000'000'000'000'000'000);
  calendar.put(1, ~std::uint64_t{0});
  CHECK(calendar.take_before(~std::uint64_t{0}).front() == 0);
  calendar.put(0, ~std::uint64_t{0} - 1);
  CHECK(calendar.take_before(~std::uint64_t{0}).front() == 0);
}

TEST_CASE("a calendar gives whom a list would give, however long members stay away") {
  rc::prop("against the least of all times", [] {
    const auto members = between<std::uint32_t>(1, 200);
    const auto furthest = one_of<std::uint64_t>({2, 50, 5'000, 5'000'000'000});
    Calendar calendar(members, between<std::uint64_t>(0, 2 * furthest));
    std::vector<std::uint64_t> times(members);
    const auto put = [&](std::uint32_t member, std::uint64_t now) {
      times[member] = now + between<std::uint64_t>(0, between(0, 9) == 0 ? 20 * furthest : furthest);
      calendar.put(member, times[member]);
    };
    for (std::uint32_t i = 0; i < members; ++i) put(i, 0);
    for (int i = 0; i < 300; ++i) {
      const std::uint64_t earliest = *std::min_element(times.begin(), times.end());
      const auto taken = sorted(calendar.take_before(earliest + 1));
      RC_ASSERT(calendar.time() == earliest);
      std::vector<std::uint32_t> expected;
      for (std::uint32_t member = 0; member < members; ++member)
        if (times[member] == earliest) expected.push_back(member);
      RC_ASSERT(taken == expected);
      for (const std::uint32_t member : taken) put(member, earliest);
    }
  });
}
