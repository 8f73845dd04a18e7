#include <gdsim/run/ensemble/link_transfers.hpp>

#include <gdsim/base/check.hpp>
#include <gdsim/base/quantity.hpp>

#include <algorithm>
#include <limits>

namespace gdsim {
namespace {

constexpr unsigned kFraction = 32;

UInt128 divide_up(UInt128 dividend, UInt128 divisor) { return (dividend + divisor - 1) / divisor; }

/// How long the bytes take at the bandwidth of a port, in 2^-32 ps. Fits even for 2^63 bytes at one byte per second.
UInt128 work_of(Bytes bytes, BytesPerSecond bandwidth) {
  const auto count = static_cast<std::uint64_t>(bytes.count);
  const auto rate = static_cast<std::uint64_t>(bandwidth.count);
  const UInt128 whole = UInt128{count / rate} * kPicosecondsPerSecond;
  const UInt128 rest = divide_up((UInt128{count % rate} * kPicosecondsPerSecond) << kFraction, rate);
  return (whole << kFraction) + rest;
}

/// Rounded up to whole picoseconds.
Duration duration_of(UInt128 work) {
  const UInt128 picoseconds = divide_up(work, UInt128{1} << kFraction);
  if (picoseconds > UInt128{static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())})
    detail::raise_time_overflow();
  return Duration{static_cast<std::int64_t>(picoseconds)};
}

}  // namespace

Duration min_duration(std::span<const DeviceLink> links, const LinkTransfers::Transfer& transfer) {
  const auto link = link_between(links, transfer.from, transfer.to);
  GDSIM_CHECK(link.has_value(), "a transfer has no link");
  return links[*link].latency + duration_of(work_of(transfer.bytes, links[*link].bandwidth));
}

std::optional<std::uint32_t> link_between(std::span<const DeviceLink> links, std::uint32_t from, std::uint32_t to) {
  for (std::uint32_t i = 0; i < links.size(); ++i) {
    const auto& between = links[i].between;
    if (std::find(between.begin(), between.end(), DeviceId{from}) != between.end() &&
        std::find(between.begin(), between.end(), DeviceId{to}) != between.end())
      return i;
  }
  return std::nullopt;
}

void LinkTransfers::begin(SimTime now, const Transfer& transfer) {
  const auto link = link_between(links_, transfer.from, transfer.to);
  GDSIM_CHECK(link.has_value(), "a transfer has no link");
  Active one{transfer, *link, false, now + links_[*link].latency, 0, 1};
  one.left = work_of(transfer.bytes, links_[*link].bandwidth);
  active_.push_back(one);
  if (one.since > now) return;
  active_.back().flows = true;
  share(now);
}

SimTime LinkTransfers::end_of(const Active& one) { return one.since + duration_of(one.left * one.sharers); }

std::optional<SimTime> LinkTransfers::next() const {
  std::optional<SimTime> next;
  for (const Active& one : active_) {
    const SimTime at = one.flows ? end_of(one) : one.since;
    if (!next || at < *next) next = at;
  }
  return next;
}

std::vector<std::uint64_t> LinkTransfers::advance(SimTime now) {
  std::vector<std::uint64_t> ended;
  std::erase_if(active_, [&](const Active& one) {
    const bool ends = one.flows && end_of(one) <= now;
    if (ends) ended.push_back(one.what.of);
    return ends;
  });
  for (Active& one : active_)
    if (!one.flows && one.since <= now) one.flows = true;
  share(now);
  return ended;
}

std::uint64_t LinkTransfers::sharers_of(const Active& one) const {
  std::uint64_t sending = 0;
  std::uint64_t receiving = 0;
  for (const Active& other : active_) {
    if (!other.flows || other.link != one.link) continue;
    sending += other.what.from == one.what.from ? 1 : 0;
    receiving += other.what.to == one.what.to ? 1 : 0;
  }
  return std::max(sending, receiving);
}

void LinkTransfers::share(SimTime now) {
  for (Active& one : active_) {
    if (!one.flows) continue;
    const std::uint64_t sharers = sharers_of(one);
    if (sharers == one.sharers) continue;
    const UInt128 served = (UInt128{static_cast<std::uint64_t>((now - one.since).count)} << kFraction) / one.sharers;
    one.left -= std::min(one.left, served);
    one.since = now;
    one.sharers = sharers;
  }
}

}  // namespace gdsim
