#include "support/random_values.hpp"

#include <gdsim/fast_forward/ladder_queue.hpp>

#include <rapidcheck/catch.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <functional>
#include <set>
#include <utility>
#include <vector>

using namespace gdsim;
using namespace gdsim::testing;

namespace {

/// How long until a member is due again, from a time on.
using Delay = std::function<std::uint64_t(std::uint64_t now)>;

/// A horizon queue beside a sorted set of the same.
class Beside {
 public:
  explicit Beside(std::uint32_t members) : queue_(members) {}

  void put(std::uint64_t time, std::uint32_t member) {
    queue_.put(time, member);
    expected_.insert({time, member});
  }
  /// Puts the first entry again. False if it is not the earliest, or ties are not reported.
  bool one_comes_again(const Delay& delay) {
    const LadderQueue::Entry entry = queue_.first();
    queue_.pop();
    if (!take(entry.time, entry.member)) return false;
    const bool has_more = !expected_.empty() && expected_.begin()->first == entry.time;
    if (queue_.has_more_at(entry.time) != has_more) return false;
    put(entry.time + delay(entry.time), entry.member);
    return true;
  }
  /// Puts as many as can be read off again after these delays. False if one is not the earliest, not alone at its time,
  /// or not before `bound`.
  bool some_come_again(std::uint64_t bound, const std::vector<std::uint64_t>& delays) {
    std::vector<LadderQueue::Entry> noted;
    const std::size_t taken =
        queue_.take_and_put(bound, delays, [&](const LadderQueue::Entry& one) { noted.push_back(one); });
    if (taken != noted.size()) return false;
    for (std::size_t i = 0; i < taken; ++i) {
      const std::uint64_t time = expected_.begin()->first;
      if (time >= bound || noted[i].time != time || !take(time, noted[i].member)) return false;
      if (!expected_.empty() && expected_.begin()->first == time) return false;
      expected_.insert({time + delays[i], noted[i].member});
      now_ = time;
    }
    if (taken > 0 && (queue_.last_taken().time != now_ || queue_.last_taken().member != noted.back().member))
      return false;
    read_off_ += taken;
    return true;
  }
  bool has_all() const {
    std::multiset<std::pair<std::uint64_t, std::uint32_t>> all;
    queue_.visit([&](const LadderQueue::Entry& entry) { all.insert({entry.time, entry.member}); });
    return all == expected_;
  }
  std::uint64_t now() const { return now_; }
  std::size_t read_off() const { return read_off_; }

 private:
  bool take(std::uint64_t time, std::uint32_t member) {
    if (time != expected_.begin()->first || expected_.erase({time, member}) != 1) return false;
    now_ = time;
    return true;
  }

  LadderQueue queue_;
  std::multiset<std::pair<std::uint64_t, std::uint32_t>> expected_;
  std::uint64_t now_ = 0;
  std::size_t read_off_ = 0;
};

/// Members are put again and again; whether each time the earliest is returned, and ties are reported.
bool gives_the_earliest(Beside& queue, std::uint32_t members, int steps, const Delay& delay) {
  for (std::uint32_t i = 0; i < members; ++i) queue.put(delay(0), i);
  for (int i = 0; i < steps; ++i) {
    if (!queue.one_comes_again(delay)) return false;
    std::vector<std::uint64_t> delays;
    for (int j = i % 7; j > 0; --j) delays.push_back(delay(queue.now()));
    const std::uint64_t bound = i % 3 == 0 ? queue.now() + delay(queue.now()) / 4 : ~std::uint64_t{0};
    if (!queue.some_come_again(bound, delays)) return false;
  }
  return queue.has_all();
}

/// The cost of an entry, in examined keys, of members that begin at these times, if the first is put again 30,000
/// times.
template <class DelayOf>
std::uint64_t work_of_an_entry(const std::vector<std::uint64_t>& times, const DelayOf& delay) {
  constexpr int count = 30'000;
  LadderQueue queue(static_cast<std::uint32_t>(times.size()));
  for (std::uint32_t i = 0; i < times.size(); ++i) queue.put(times[i], i);
  std::uint64_t random = 1;
  for (int i = 0; i < count; ++i) {
    random = random * 6'364'136'223'846'793'005U + 1;
    const LadderQueue::Entry entry = queue.first();
    queue.pop();
    queue.put(entry.time + delay(random >> 12), entry.member);
  }
  return queue.work() / count;
}

}  // namespace

TEST_CASE("a horizon queue is empty when all entries have been taken out") {
  LadderQueue queue(3);
  CHECK(queue.empty());
  queue.put(7, 0);
  queue.put(3, 1);
  queue.put(7, 2);
  std::vector<std::uint64_t> times;
  for (; !queue.empty(); queue.pop()) times.push_back(queue.first().time);
  CHECK(times == std::vector<std::uint64_t>{3, 7, 7});
}

TEST_CASE("a horizon queue returns the first entry, whatever the times are") {
  rc::prop("against a sorted set", [] {
    const auto shortest = one_of<std::uint64_t>({1, 1, 900, 900'000'000, 1'000'000'000'000'000});
    const auto longest = shortest + one_of<std::uint64_t>({0, 30, 1'000, 1'000'000'000});
    const auto rare = one_of<std::uint64_t>({1, 1'000, 1'000'000});
    const auto members = between<std::uint32_t>(1, 300);
    const Delay delay = [&](std::uint64_t now) {
      const std::uint64_t times = now < (std::uint64_t{1} << 62) && between(0, 30) == 0 ? rare : 1;
      return std::min(between(shortest, longest) * times, std::uint64_t{1} << 62);
    };
    Beside queue(members);
    RC_ASSERT(gives_the_earliest(queue, members, 1'000, delay));
    RC_CLASSIFY(queue.read_off() > 300, "some are read off");
  });
}

TEST_CASE("a horizon queue adapts when short times become long, and vice versa") {
  std::uint64_t random = 1;
  const Delay delay = [&](std::uint64_t now) -> std::uint64_t {
    random = random * 6'364'136'223'846'793'005U + 1;
    const bool is_short = now / 1'000'000 % 2 == 0;
    return (is_short ? 10 : 40'000) + (random >> 40) % 97;
  };
  Beside queue(200);
  CHECK(gives_the_earliest(queue, 200, 100'000, delay));
}

TEST_CASE("an entry that is alone at its time and not late is read off a horizon queue") {
  Beside queue(1'000);
  for (std::uint32_t i = 0; i < 1'000; ++i) queue.put(1'000'000 + 977 * i, i);
  const Delay delay = [](std::uint64_t) { return std::uint64_t{1'000'000}; };
  for (int i = 0; i < 100; ++i) {
    CHECK(queue.one_comes_again(delay));
    CHECK(queue.some_come_again(~std::uint64_t{0}, std::vector<std::uint64_t>(100, 1'000'000)));
  }
  CHECK(queue.read_off() > 9'000);
  CHECK(queue.has_all());
}

TEST_CASE("a horizon queue sorts entries that differ in their last bits only, and one far from all others") {
  Beside queue(500);
  for (std::uint32_t i = 0; i < 500; ++i) queue.put(1'000'000 + (i * 7'919) % 500, i);
  const Delay delay = [](std::uint64_t now) { return now % 500 == 7 ? std::uint64_t{1} << 45 : 1'000'000'000; };
  for (int i = 0; i < 5'000; ++i) REQUIRE(queue.one_comes_again(delay));
  CHECK(queue.has_all());
}

TEST_CASE("a horizon queue sorts a crowd of entries whatever the distance between them, far behind the first entry") {
  // The first is so far away that the upper digits of all others are the same.
  for (const std::uint64_t distance : {1U, 2U, 3U, 7U, 100U, 10'000U})
    for (const std::uint32_t members : {66U, 150U, 500U, 4'000U}) {
      Beside queue(members);
      queue.put(1, 0);
      for (std::uint32_t i = 1; i < members; ++i)
        queue.put((std::uint64_t{1} << 40) + std::uint64_t{i} * 7'919 % members * distance, i);
      const Delay delay = [](std::uint64_t) { return std::uint64_t{1} << 42; };
      for (std::uint32_t i = 0; i < 2 * members; ++i) REQUIRE(queue.one_comes_again(delay));
      CHECK(queue.has_all());
    }
}

TEST_CASE("entries with very late times cost a horizon queue little until then") {
  std::vector<std::uint64_t> times{1'000};
  for (std::uint32_t i = 1; i < 20'000; ++i) times.push_back((std::uint64_t{1} << 60) + i * 1'000'000);
  CHECK(work_of_an_entry(times, [](std::uint64_t random) { return 1'000 + random % 7; }) < 100);
}

TEST_CASE("members with times that do not fit into keys cost a horizon queue little") {
  const auto delay = [](std::uint64_t random) { return (std::uint64_t{1} << 53) + random; };
  std::vector<std::uint64_t> times;
  for (std::uint64_t i = 0; i < 20'000; ++i) times.push_back(delay((i * 2'654'435'761U) << 20U));
  CHECK(work_of_an_entry(times, delay) < 100);
}

TEST_CASE("a horizon queue finds entries at the end of time") {
  LadderQueue queue(3);
  queue.put(~std::uint64_t{0}, 0);
  queue.put(1, 1);
  queue.put(~std::uint64_t{0} - 1, 2);
  for (const std::uint32_t member : {1U, 2U, 0U}) {
    CHECK(queue.first().member == member);
    queue.pop();
  }
}
