#include "support/builders.hpp"
#include "support/random_values.hpp"

#include <gdsim/run/ensemble/link_transfers.hpp>

#include <rapidcheck/catch.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

// Transfers that are counted by lanes and clocks end exactly as if each were looked at by itself, at every instant.

using namespace gdsim;
using namespace gdsim::testing;

namespace {

constexpr unsigned kFraction = 32;

/// The rule at the head of link_transfers.hpp as it is written: every transfer is looked at for itself.
class PlainTransfers {
 public:
  explicit PlainTransfers(std::span<const DeviceLink> links) : links_(links) {}

  void begin(SimTime now, const LinkTransfers::Transfer& what) {
    const std::uint32_t link = *link_between(links_, what.from, what.to);
    const auto rate = static_cast<std::uint64_t>(links_[link].bandwidth.count);
    const UInt128 bits = UInt128{static_cast<std::uint64_t>(what.bytes.count)} * kPicosecondsPerSecond << kFraction;
    const SimTime flows = now + links_[link].latency;
    active_.push_back({what, link, flows <= now, flows, (bits + rate - 1) / rate, 1});
    if (flows <= now) share(now);
  }

  std::optional<SimTime> next() const {
    std::optional<SimTime> next;
    for (const Active& one : active_) next = std::min(time_of(one), next.value_or(kEndOfTime));
    return next;
  }

  std::vector<std::uint64_t> advance(SimTime now) {
    std::vector<std::uint64_t> ended;
    std::erase_if(active_, [&](const Active& one) {
      const bool ends = one.flows && time_of(one) <= now;
      if (ends) ended.push_back(one.what.tag);
      return ends;
    });
    for (Active& one : active_) one.flows = one.flows || one.since <= now;
    share(now);
    return ended;
  }

 private:
  struct Active {
    LinkTransfers::Transfer what;
    std::uint32_t link = 0;
    bool flows = false;
    SimTime since;  ///< when its present rate began; if it does not flow yet, when it will
    UInt128 left = 0;
    std::uint64_t sharers = 1;
  };

  static SimTime time_of(const Active& one) {
    if (!one.flows) return one.since;
    const UInt128 end = static_cast<std::uint64_t>(one.since.count) +
                        ((one.left * one.sharers + (UInt128{1} << kFraction) - 1) >> kFraction);
    if (end > static_cast<std::uint64_t>(kEndOfTime.count)) throw TimeOverflowError();
    return SimTime{static_cast<std::int64_t>(end)};
  }

  std::uint64_t sharers_of(const Active& one) const {
    const auto count = [&](auto&& shares) {
      return static_cast<std::uint64_t>(std::count_if(active_.begin(), active_.end(), [&](const Active& other) {
        return other.flows && other.link == one.link && shares(other.what);
      }));
    };
    return std::max(count([&](const LinkTransfers::Transfer& other) { return other.from == one.what.from; }),
                    count([&](const LinkTransfers::Transfer& other) { return other.to == one.what.to; }));
  }

  void share(SimTime now) {
    for (Active& one : active_) {
      const std::uint64_t sharers = one.flows ? sharers_of(one) : one.sharers;
      if (sharers == one.sharers) continue;
      const UInt128 served = (UInt128{static_cast<std::uint64_t>((now - one.since).count)} << kFraction) / one.sharers;
      one.left -= std::min(one.left, served);
      one.since = now;
      one.sharers = sharers;
    }
  }

  std::span<const DeviceLink> links_;
  std::vector<Active> active_;
};

constexpr std::uint32_t kDevices = 5;
constexpr std::int64_t kBytePerPicosecond = 1'000'000'000'000;

/// Draws a few links; the last one connects all devices. Most move a byte in a picosecond, so that many things happen
/// at one instant, and a difference of 2^-32 ps moves an end by a whole one.
std::vector<DeviceLink> draw_links() {
  std::vector<DeviceLink> links(between<std::size_t>(1, 3));
  for (DeviceLink& link : links) {
    const bool is_last = &link == &links.back();
    for (std::uint32_t device = 0; device < kDevices; ++device)
      if (is_last || one_in(2)) link.between.push_back(DeviceId{device});
    link.bandwidth = {one_of<std::int64_t>(
        {kBytePerPicosecond, kBytePerPicosecond, 3 * kBytePerPicosecond, 999'999'999'989, 1'000'000'000})};
    link.latency = ps(one_of({0, 0, 1, between(0, 20)}));
  }
  return links;
}

/// Draws a size: often the same as others, or a divisor of them. Some take months.
Bytes draw_size(bool are_some_huge) {
  if (are_some_huge && one_in(10)) return {std::int64_t{1} << between(49, 53)};
  return {one_of<std::int64_t>({0, 1, 12, 60, 60, 60, 120, between(1, 200)})};
}

LinkTransfers::Transfer draw_transfer(std::uint64_t of, std::uint32_t devices, bool are_some_huge) {
  const auto from = between<std::uint32_t>(0, devices - 1);
  const auto to = (from + between<std::uint32_t>(1, devices - 1)) % devices;
  return {from, to, draw_size(are_some_huge), of};
}

/// Both kinds of transfers, side by side.
class Both {
 public:
  explicit Both(std::span<const DeviceLink> links) : plain_(links), fast_(links) {}

  void begin(SimTime now, const LinkTransfers::Transfer& one) {
    plain_.begin(now, one);
    fast_.begin(now, one);
  }
  /// Returns nullopt if nothing is left, or if an end is beyond 64 bits.
  std::optional<SimTime> next() const {
    std::optional<SimTime> expected;
    try {
      expected = plain_.next();
    } catch (const TimeOverflowError&) {
      RC_ASSERT_THROWS_AS(fast_.next(), TimeOverflowError);
      return std::nullopt;
    }
    RC_ASSERT(fast_.next() == expected);
    return expected;
  }
  void advance(SimTime now) { RC_ASSERT(fast_.advance(now) == plain_.advance(now)); }

 private:
  PlainTransfers plain_;
  LinkTransfers fast_;
};

/// Compares transfers that begin and end in any order.
void compare_any() {
  const std::vector<DeviceLink> links = draw_links();
  const auto devices = between<std::uint32_t>(2, kDevices);
  const bool are_some_huge = one_in(3);
  const int pause = one_of({2, 10, 40, 200});
  const auto count = between<std::uint64_t>(1, 150);
  Both both(links);
  SimTime now;
  for (std::uint64_t i = 0; i < count; ++i) {
    auto next = both.next();
    // Some begin at the instant of the next end, before it.
    const SimTime then = next && *next > now && one_in(4) ? *next : now + ps(one_of({0, 0, 1, between(0, pause)}));
    for (; next && (*next < then || (*next == then && one_in(2))); next = both.next()) both.advance(*next);
    now = then;
    both.begin(now, draw_transfer(i, devices, are_some_huge));
  }
  while (const auto next = both.next()) both.advance(*next);
}

/// 1 GB/s: a byte takes 1 ns.
std::vector<DeviceLink> switch_of(std::uint32_t devices, Duration latency) {
  DeviceLink link{{}, {1'000'000'000}, latency};
  for (std::uint32_t device = 0; device < devices; ++device) link.between.push_back(DeviceId{device});
  return {link};
}

}  // namespace

TEST_CASE("transfers end as if each were looked at by itself, to the bit", "[figures]") {
  // Rounding matters where several ends and begins meet, which takes many tries.
  rc::prop("whatever begins, wherever and whenever", [] {
    for (int i = 0; i < 20; ++i) compare_any();
  });
}

TEST_CASE("tens of thousands of transfers at once take turns as few do") {
  constexpr std::int64_t kCount = 20'000;
  const std::vector<DeviceLink> links = switch_of(4, ns(5));
  LinkTransfers transfers(links);
  // All leave one device, and each is a byte longer than the one before.
  for (std::int64_t i = 0; i < kCount; ++i)
    transfers.begin(SimTime{}, {0, static_cast<std::uint32_t>(1 + i % 3), Bytes{i + 1}, static_cast<std::uint64_t>(i)});
  CHECK(transfers.next() == at(ns(5)));
  CHECK(transfers.advance(at(ns(5))).empty());
  std::int64_t end = 5;
  for (std::int64_t i = 0; i < kCount; ++i) {
    end += kCount - i;
    REQUIRE(transfers.next() == at(ns(end)));
    REQUIRE(transfers.advance(at(ns(end))) == std::vector{static_cast<std::uint64_t>(i)});
  }
  CHECK_FALSE(transfers.next());
}

TEST_CASE("transfers that end at once are named in the order in which they began") {
  constexpr std::uint64_t kCount = 30'000;
  const std::vector<DeviceLink> links = switch_of(3, Duration{});
  LinkTransfers transfers(links);
  for (std::uint64_t i = 0; i < kCount; ++i)
    transfers.begin(SimTime{}, {0, static_cast<std::uint32_t>(1 + i % 2), Bytes{10}, i});
  std::vector<std::uint64_t> all(kCount);
  std::iota(all.begin(), all.end(), std::uint64_t{0});
  CHECK(transfers.next() == at(ns(10 * kCount)));
  CHECK(transfers.advance(at(ns(10 * kCount))) == all);
}

TEST_CASE("a transfer that would not end within 64 bits is refused, however long it takes") {
  const std::vector<DeviceLink> links{{{DeviceId{0}, DeviceId{1}}, {1}, ns(5)}};
  LinkTransfers transfers(links);
  const LinkTransfers::Transfer longest{0, 1, Bytes{std::numeric_limits<std::int64_t>::max()}, 0};
  CHECK_THROWS_AS(min_duration(links, longest), TimeOverflowError);
  transfers.begin(SimTime{}, {0, 1, Bytes{0}, 1});
  transfers.begin(SimTime{}, longest);
  CHECK(transfers.next() == at(ns(5)));
  CHECK(transfers.advance(at(ns(5))).empty());
  CHECK_THROWS_AS(transfers.next(), TimeOverflowError);
}

TEST_CASE("a size and a bandwidth of 63 bits are counted in full") {
  const std::vector<DeviceLink> links{
      {{DeviceId{0}, DeviceId{1}}, {std::numeric_limits<std::int64_t>::max()}, Duration{}}};
  const LinkTransfers::Transfer almost_all{0, 1, Bytes{std::numeric_limits<std::int64_t>::max() - 1}, 0};
  CHECK(min_duration(links, almost_all) == ns(1'000'000'000));
}
