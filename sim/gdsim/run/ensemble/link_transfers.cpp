#include <gdsim/run/ensemble/link_transfers.hpp>

#include <gdsim/base/check.hpp>
#include <gdsim/base/quantity.hpp>
#include <gdsim/event/heaps.hpp>

#include <cstddef>

namespace gdsim {
namespace {

constexpr unsigned kFraction = 32;

UInt128 divide_up(UInt128 dividend, UInt128 divisor) { return (dividend + divisor - 1) / divisor; }

constexpr UInt128 kLastTime{static_cast<std::uint64_t>(kEndOfTime.count)};

/// Stands for the first end on a lane where one is beyond 64 bits. It comes before all others, so that next() finds it.
constexpr SimTime kBeyond{-1};

/// Work that takes longer than 64 bits of picoseconds, whatever is served of it within these.
constexpr UInt128 kTooMuch = UInt128{1} << 96U;

/// How long the bytes take at the bandwidth of a port, in 2^-32 ps: at most kTooMuch, which can be multiplied by any
/// 32-bit number of sharers.
UInt128 work_of(Bytes bytes, BytesPerSecond bandwidth) {
  const auto rate = static_cast<std::uint64_t>(bandwidth.count);
  const UInt128 at_one_byte_per_second = UInt128{static_cast<std::uint64_t>(bytes.count)} * kPicosecondsPerSecond;
  const UInt128 whole = at_one_byte_per_second / rate;
  if (whole > kLastTime) return kTooMuch;
  return (whole << kFraction) + divide_up((at_one_byte_per_second % rate) << kFraction, rate);
}

UInt128 whole_picoseconds(UInt128 work) { return divide_up(work, UInt128{1} << kFraction); }

/// Rounded up to whole picoseconds.
Duration duration_of(UInt128 work) {
  const UInt128 picoseconds = whole_picoseconds(work);
  if (picoseconds > kLastTime) detail::raise_time_overflow();
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

void LinkTransfers::Lane::add(SimTime now, const Waiting& transfer) {
  if (since_ == now) {
    settle(transfer.id, transfer.work);
  } else {
    add_young(now, transfer);
  }
}

void LinkTransfers::Lane::settle(const TransferId& id, UInt128 left) {
  const UInt128 finish = left + clock_;
  last_finish_ = settled_.empty() ? finish : std::max(last_finish_, finish);
  push_to_heap(settled_, {finish, id});
}

void LinkTransfers::Lane::add_young(SimTime now, const Waiting& transfer) {
  const UInt128 end = end_of(now, transfer.work);
  last_end_ = young_.empty() ? end : std::max(last_end_, end);
  push_to_heap(young_, {end, transfer.id, now, transfer.work});
}

void LinkTransfers::Lane::set_sharers(SimTime now, std::uint64_t sharers) {
  if (sharers == sharers_) return;
  clock_ += served_in(since_, now);
  for (const Young& transfer : young_)
    settle(transfer.id, transfer.left - std::min(transfer.left, served_in(transfer.since, now)));
  young_.clear();
  since_ = now;
  sharers_ = sharers;
}

UInt128 LinkTransfers::Lane::served_in(SimTime since, SimTime now) const {
  return (UInt128{static_cast<std::uint64_t>((now - since).count)} << kFraction) / sharers_;
}

UInt128 LinkTransfers::Lane::end_of(SimTime since, UInt128 left) const {
  return static_cast<std::uint64_t>(since.count) + whole_picoseconds(left * sharers_);
}

std::optional<LinkTransfers::Lane::Ends> LinkTransfers::Lane::ends() const {
  std::optional<Ends> ends;
  if (!settled_.empty()) ends = Ends{end_of(settled_.front().finish), end_of(last_finish_)};
  if (young_.empty()) return ends;
  const Ends of_young{young_.front().finish, last_end_};
  if (!ends) return of_young;
  return Ends{std::min(ends->first, of_young.first), std::max(ends->last, of_young.last)};
}

void LinkTransfers::Lane::take_ended(SimTime now, std::vector<TransferId>& ended) {
  const auto time = static_cast<std::uint64_t>(now.count);
  while (!settled_.empty() && end_of(settled_.front().finish) <= time) ended.push_back(pop_from_heap(settled_).id);
  while (!young_.empty() && young_.front().finish <= time) ended.push_back(pop_from_heap(young_).id);
}

std::uint32_t LinkTransfers::lane_between(std::uint32_t from, std::uint32_t to) {
  if (const auto known = lane_of_.find({from, to}); known != lane_of_.end()) return known->second;
  const auto link = link_between(links_, from, to);
  GDSIM_CHECK(link.has_value(), "a transfer has no link");
  const auto lane = static_cast<std::uint32_t>(lanes_.size());
  const std::uint32_t sender = port_of({*link, from, Direction::send});
  const std::uint32_t receiver = port_of({*link, to, Direction::receive});
  lanes_.emplace_back(*link, sender, receiver);
  ports_[sender].lanes.push_back(lane);
  ports_[receiver].lanes.push_back(lane);
  lane_of_.emplace(std::pair(from, to), lane);
  return lane;
}

std::uint32_t LinkTransfers::port_of(const PortName& name) {
  const auto [port, is_new] = port_of_.try_emplace(name, static_cast<std::uint32_t>(ports_.size()));
  if (is_new) ports_.emplace_back();
  return port->second;
}

void LinkTransfers::begin(SimTime now, const Transfer& transfer) {
  const std::uint32_t lane = lane_between(transfer.from, transfer.to);
  const DeviceLink& link = links_[lanes_[lane].link()];
  const SimTime flows = now + link.latency;
  const Waiting waiting{flows, {begun_++, transfer.tag}, lane, work_of(transfer.bytes, link.bandwidth)};
  if (flows > now) {
    push_to_heap(waiting_, waiting);
  } else {
    share(now, {&waiting, 1});
  }
}

std::optional<SimTime> LinkTransfers::next() const {
  std::optional<SimTime> next;
  if (!waiting_.empty()) next = waiting_.front().finish;
  if (ends_.empty()) return next;
  if (ends_.top_key() == kBeyond) detail::raise_time_overflow();
  return next ? std::min(*next, ends_.top_key()) : ends_.top_key();
}

std::vector<std::uint64_t> LinkTransfers::advance(SimTime now) {
  GDSIM_CHECK(next() == now, "transfers advance, but not to the next time");
  const std::vector<TransferId> ended = take_ended(now);
  share(now, take_starting(now));
  std::vector<std::uint64_t> tags;
  tags.reserve(ended.size());
  for (const TransferId& id : ended) tags.push_back(id.tag);
  return tags;
}

/// Returns them in the order in which they began. Their lanes are given to share().
std::vector<LinkTransfers::TransferId> LinkTransfers::take_ended(SimTime now) {
  std::vector<TransferId> ended;
  while (!ends_.empty() && ends_.top_key() <= now) {
    Lane& lane = lanes_[ends_.top()];
    ends_.erase(ends_.top());
    const std::size_t before = ended.size();
    lane.take_ended(now, ended);
    change_flowing(lane, before - ended.size());
  }
  std::sort(ended.begin(), ended.end(), [](const TransferId& a, const TransferId& b) { return a.number < b.number; });
  return ended;
}

std::vector<LinkTransfers::Waiting> LinkTransfers::take_starting(SimTime now) {
  std::vector<Waiting> starting;
  while (!waiting_.empty() && waiting_.front().finish <= now) starting.push_back(pop_from_heap(waiting_));
  return starting;
}

void LinkTransfers::change_flowing(const Lane& lane, std::uint64_t by) {
  for (const std::uint32_t port : {lane.sender(), lane.receiver()}) {
    ports_[port].flowing += by;
    if (!std::exchange(ports_[port].has_changed, true)) changed_.push_back(port);
  }
}

void LinkTransfers::share(SimTime now, std::span<const Waiting> starting) {
  for (const Waiting& transfer : starting) change_flowing(lanes_[transfer.lane], 1);
  for (const std::uint32_t port : changed_)
    for (const std::uint32_t lane : ports_[port].lanes) set_sharers(now, lanes_[lane]);
  for (const Waiting& transfer : starting) lanes_[transfer.lane].add(now, transfer);
  for (const std::uint32_t port : changed_) {
    for (const std::uint32_t lane : ports_[port].lanes) find_end(lane);
    ports_[port].has_changed = false;
  }
  changed_.clear();
}

void LinkTransfers::set_sharers(SimTime now, Lane& lane) const {
  const std::uint64_t sharers = std::max(ports_[lane.sender()].flowing, ports_[lane.receiver()].flowing);
  lane.set_sharers(now, std::max<std::uint64_t>(sharers, 1));
}

void LinkTransfers::find_end(std::uint32_t lane) {
  const auto ends = lanes_[lane].ends();
  if (!ends) return ends_.erase(lane);
  ends_.set(lane, ends->last > kLastTime ? kBeyond : SimTime{static_cast<std::int64_t>(ends->first)});
}

}  // namespace gdsim
