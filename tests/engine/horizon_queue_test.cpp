#include "support/random_values.hpp"

#include <gdsim/engine/horizon_queue.hpp>

#include <rapidcheck/catch.h>
#include <catch2/catch.hpp>

#include <functional>
#include <set>
#include <utility>
#include <vector>

using namespace gdsim;
using namespace gdsim::testing;

namespace {

/// The next time of a member, from a time on.
using Life = std::function<std::uint64_t(std::uint32_t member, std::uint64_t now)>;

/// Members come and come again; whether each time the earliest is given, and a tie known.
bool gives_the_earliest(std::uint32_t members, int rounds, const Life& life) {
  HorizonQueue queue(members);
  std::multiset<std::pair<std::uint64_t, std::uint32_t>> expected;
  const auto put = [&](std::uint32_t member, std::uint64_t now) {
    const std::uint64_t time = now + life(member, now);
    queue.put(time, member);
    expected.insert({time, member});
  };
  for (std::uint32_t i = 0; i < members; ++i) put(i, 0);
  for (int i = 0; i < rounds; ++i) {
    const HorizonQueue::Entry entry = queue.first();
    if (entry.time != expected.begin()->first) return false;
    queue.pop();
    const auto taken = expected.find({entry.time, entry.member});
    if (taken == expected.end()) return false;
    expected.erase(taken);
    const bool has_more = !expected.empty() && expected.begin()->first == entry.time;
    if (queue.has_more_at(entry.time) != has_more) return false;
    put(entry.member, entry.time);
  }
  std::size_t left = 0;
  queue.visit([&](const HorizonQueue::Entry& entry) { left += expected.count({entry.time, entry.member}); });
  return left == members;
}

}  // namespace

TEST_CASE("a horizon queue is empty when all who were put in have been taken out") {
  HorizonQueue queue(3);
  CHECK(queue.empty());
  queue.put(7, 0);
  queue.put(3, 1);
  queue.put(7, 2);
  std::vector<std::uint64_t> times;
  for (; !queue.empty(); queue.pop()) times.push_back(queue.first().time);
  CHECK(times == std::vector<std::uint64_t>{3, 7, 7});
}

TEST_CASE("a horizon queue gives whoever is first, whatever the times are") {
  rc::prop("against a sorted set", [] {
    const auto longest = one_of<std::uint64_t>({1, 30, 1'000, 1'000'000'000});
    const auto rare = one_of<std::uint64_t>({1, 1'000, 1'000'000});
    const Life life = [&](std::uint32_t, std::uint64_t) {
      return between<std::uint64_t>(1, longest) * (between(0, 30) == 0 ? rare : 1);
    };
    RC_ASSERT(gives_the_earliest(between<std::uint32_t>(1, 300), 2'000, life));
  });
}

TEST_CASE("a horizon queue goes on where times that were short become long, and the other way round") {
  const Life life = [](std::uint32_t member, std::uint64_t now) -> std::uint64_t {
    const bool is_short = now / 1'000'000 % 2 == 0;
    return (is_short ? 10 : 40'000) + member % 97;
  };
  CHECK(gives_the_earliest(200, 200'000, life));
}

TEST_CASE("a horizon queue finds who comes at the end of time") {
  HorizonQueue queue(3);
  queue.put(~std::uint64_t{0}, 0);
  queue.put(1, 1);
  queue.put(~std::uint64_t{0} - 1, 2);
  for (const std::uint32_t member : {1U, 2U, 0U}) {
    CHECK(queue.first().member == member);
    queue.pop();
  }
}
