#include "oracle/links.hpp"

#include <algorithm>

namespace gdsim::oracle {
namespace {

constexpr UInt128 kUnit = UInt128{1} << 32;

bool has(const DeviceLink& link, std::size_t device) {
  return std::count(link.between.begin(), link.between.end(), static_cast<DeviceId>(device)) > 0;
}

UInt128 divide_up(UInt128 dividend, UInt128 divisor) { return (dividend + divisor - 1) / divisor; }

}  // namespace

void Links::begin(Time now, std::size_t from, std::size_t to, std::int64_t bytes, std::size_t what) {
  Transfer one;
  while (!has(links_[one.link], from) || !has(links_[one.link], to)) ++one.link;
  const DeviceLink& link = links_[one.link];
  one.from = from;
  one.to = to;
  one.what = what;
  one.flows_from = now + link.latency.count;
  one.left = divide_up(static_cast<UInt128>(bytes) * 1'000'000'000'000 * kUnit,
                       static_cast<std::uint64_t>(link.bandwidth.count));
  transfers_.push_back(one);
  share(now);
}

Time Links::end_of(const Transfer& one) {
  return one.since + static_cast<Time>(divide_up(one.left * one.parts, kUnit));
}

std::optional<Time> Links::next() const {
  std::optional<Time> next;
  for (const Transfer& one : transfers_) {
    const Time time = one.parts > 0 ? end_of(one) : one.flows_from;
    if (!next || time < *next) next = time;
  }
  return next;
}

std::vector<std::size_t> Links::come_to(Time now) {
  std::vector<std::size_t> ended;
  std::erase_if(transfers_, [&](const Transfer& one) {
    const bool ends = one.parts > 0 && end_of(one) == now;
    if (ends) ended.push_back(one.what);
    return ends;
  });
  share(now);
  return ended;
}

void Links::share(Time now) {
  for (Transfer& one : transfers_) {
    if (one.flows_from > now) continue;
    std::uint64_t sending = 0;
    std::uint64_t receiving = 0;
    for (const Transfer& other : transfers_) {
      if (other.link != one.link || other.flows_from > now) continue;
      if (other.from == one.from) ++sending;
      if (other.to == one.to) ++receiving;
    }
    const std::uint64_t parts = std::max(sending, receiving);
    if (parts == one.parts) continue;
    if (one.parts > 0) one.left -= std::min(one.left, static_cast<UInt128>(now - one.since) * kUnit / one.parts);
    one.since = now;
    one.parts = parts;
  }
}

}  // namespace gdsim::oracle
