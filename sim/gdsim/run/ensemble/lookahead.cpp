#include <gdsim/run/ensemble/lookahead.hpp>

#include <gdsim/base/check.hpp>
#include <gdsim/run/ensemble/link_transfers.hpp>
#include <gdsim/run/ensemble/member.hpp>

#include <algorithm>

namespace gdsim {

void CommonInstant::take(SimTime now) {
  in_instant_.clear();
  for (const auto& member : members_)
    if (member->next() == now) begin(*member);
  for (std::size_t i = 0; i < in_instant_.size(); ++i) report_ends(*in_instant_[i], now);
  std::uint64_t events = 0;
  while (const auto place = lowest_place()) {
    if (members_.front()->gives_up(events)) break;
    // Devices that enter the instant meanwhile are appended.
    for (std::size_t i = 0; i < in_instant_.size(); ++i)
      if (Member& member = *in_instant_[i]; member.has_rank() && member.place() == *place) events += member.handle();
    for (std::size_t i = 0; i < in_instant_.size(); ++i) report_ends(*in_instant_[i], now);
  }
  const auto by_number = [](const Member* a, const Member* b) { return a->number() < b->number(); };
  std::sort(in_instant_.begin(), in_instant_.end(), by_number);
  for (Member* member : in_instant_) member->end();
}

void CommonInstant::begin(Member& member) {
  if (std::find(in_instant_.begin(), in_instant_.end(), &member) != in_instant_.end()) return;
  if (!member.is_in_instant()) member.begin();
  in_instant_.push_back(&member);
}

std::optional<std::size_t> CommonInstant::lowest_place() const {
  std::optional<std::size_t> lowest;
  for (Member* member : in_instant_)
    if (member->has_rank() && (!lowest || member->place() < *lowest)) lowest = member->place();
  return lowest;
}

void CommonInstant::report_ends(Member& member, SimTime now) {
  member.take_ends([&](LaunchId launch) {
    if (reported_.empty()) reported_.resize(owners_.count());
    reported_[index_of(launch)] = true;
    const LaunchRecord& record = member.model().state().launches.record(launch);
    const SimTime begun = record.begun ? *record.begun : *record.first_dispatched;
    for (const std::uint32_t device : owners_.waiting(launch)) {
      Member& waiting = *members_[device];
      if (waiting.is_done()) continue;
      waiting.model().schedule_remote_end(launch, begun, now);
      begin(waiting);
      waiting.catch_up_with(member);
    }
  });
}

namespace {

/// The number of passes: bounds depend on other bounds, and each pass follows one dependency further.
constexpr int kLooks = 3;

std::uint64_t bit_of(std::uint32_t device) { return std::uint64_t{1} << device; }

/// Returns a saturating sum. A bound beyond 64 bits is no error: the transfer may never begin; if it does, it throws
/// then.
SimTime later(SimTime time, Duration by) {
  return by.count > kEndOfTime.count - time.count ? kEndOfTime : SimTime{time.count + by.count};
}

Duration bound_of(std::span<const DeviceLink> links, const LinkTransfers::Transfer& transfer) {
  try {
    return min_duration(links, transfer);
  } catch (const TimeOverflowError&) {
    return since_start(kEndOfTime);
  }
}

Duration min_duration_of(const Collective& collective, std::span<const DeviceLink> links) {
  SimTime end;
  for (const ExchangeRound& round : exchange_rounds(collective)) {
    Duration longest;
    for (const LinkTransfers::Transfer& transfer : round) longest = std::max(longest, bound_of(links, transfer));
    end = later(end, longest);
  }
  return since_start(end);
}

}  // namespace

Lookahead::Lookahead(std::span<const CompiledParts* const> devices, const LaunchOwners& owners,
                     std::span<const DeviceLink> links, std::span<const Collective> collectives)
    : owners_(owners),
      collectives_(collectives),
      nodes_(owners.count()),
      earliest_(devices.size()),
      reached_(devices.size()),
      horizons_(devices.size()) {
  GDSIM_CHECK(devices.size() <= 64, "more than 64 devices run together");
  for (std::size_t i = 0; i < collectives.size(); ++i) {
    Exchange& exchange = exchanges_.emplace_back();
    exchange.min_duration = min_duration_of(collectives[i], links);
    exchange.not_with_links = collectives[i].launches.size();
    for (const DeviceId device : collectives[i].devices) exchange.needs |= bit_of(number_of(device));
    for (const LaunchId part : collectives[i].launches) nodes_[index_of(part)].collective = i;
  }
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const std::uint32_t owner = owners.owner_of(static_cast<LaunchId>(i));
    const Launch& launch = devices[owner]->workload->launches[i];
    if (!launch.is_link_copy()) continue;
    nodes_[i].is_copy = true;
    nodes_[i].min_duration = bound_of(links, {owner, number_of(launch.as_copy().device), launch.as_copy().bytes, 0});
  }
  look_at(devices);
}

/// Selects transfers over links, launches that other devices wait for, and all launches that these wait for.
void Lookahead::look_at(std::span<const CompiledParts* const> devices) {
  std::vector<bool> is_looked_at(nodes_.size());
  for (std::size_t i = nodes_.size(); i-- > 0;) {
    const auto launch = static_cast<LaunchId>(i);
    Node& node = nodes_[i];
    if (node.is_copy || node.collective || !owners_.waiting(launch).empty()) is_looked_at[i] = true;
    if (!is_looked_at[i]) continue;
    looked_at_.push_back(launch);
    const CompiledParts& owner = *devices[owners_.owner_of(launch)];
    for (const Dependency& dependency : owner.graph.predecessors[i])
      if (dependency.before < launch) node.before.push_back(dependency.before);
    for (const LaunchId before : owner.workload->launches[i].host_waits)
      if (before < launch) node.before.push_back(before);
    for (const LaunchId before : node.before) is_looked_at[index_of(before)] = true;
  }
  std::reverse(looked_at_.begin(), looked_at_.end());
}

void Lookahead::on_begun(LaunchId launch, SimTime at) {
  Node& node = nodes_[index_of(launch)];
  node.begun = at;
  if (node.collective) exchanges_[*node.collective].needs &= ~bit_of(owners_.owner_of(launch));
}

void Lookahead::on_handed_to_links(LaunchId launch) {
  Node& node = nodes_[index_of(launch)];
  node.is_with_links = true;
  if (node.collective) --exchanges_[*node.collective].not_with_links;
}

const std::vector<SimTime>& Lookahead::horizons(const Now& now) {
  std::erase_if(looked_at_, [&](LaunchId launch) {
    if (!now.has_ended(launch)) return false;
    nodes_[index_of(launch)].needs = 0;
    nodes_[index_of(launch)].bound = {};
    return true;
  });
  const SimTime first = std::min(*std::min_element(now.next.begin(), now.next.end()), now.next_of_links);
  std::fill(earliest_.begin(), earliest_.end(), first);
  for (int look = 0; look < kLooks; ++look) {
    look_once(now);
    for (std::size_t i = 0; i < earliest_.size(); ++i) earliest_[i] = std::min(now.next[i], reached_[i]);
  }
  return horizons_;
}

void Lookahead::look_once(const Now& now) {
  std::fill(horizons_.begin(), horizons_.end(), kEndOfTime);
  std::fill(reached_.begin(), reached_.end(), kEndOfTime);
  bound_exchanges(now);
  for (const LaunchId launch : looked_at_) {
    bound_end(launch, now);
    const Node& node = nodes_[index_of(launch)];
    for (const std::uint32_t device : owners_.waiting(launch)) {
      reached_[device] = std::min(reached_[device], node.bound);
      if ((node.needs & bit_of(device)) == 0) horizons_[device] = std::min(horizons_[device], node.bound);
    }
  }
}

void Lookahead::bound_exchanges(const Now& now) {
  for (std::size_t i = 0; i < exchanges_.size(); ++i) {
    Exchange& exchange = exchanges_[i];
    SimTime begin{};
    for (const LaunchId part : collectives_[i].launches) {
      const auto& begun = nodes_[index_of(part)].begun;
      begin = std::max(begin, begun ? *begun : earliest_[owners_.owner_of(part)]);
    }
    exchange.bound = later(begin, exchange.min_duration);
    if (exchange.not_with_links == 0) exchange.bound = std::max(exchange.bound, now.next_of_links);
  }
}

void Lookahead::limit(std::uint32_t device, SimTime horizon) {
  horizons_[device] = std::min(horizons_[device], horizon);
  reached_[device] = std::min(reached_[device], horizon);
}

void Lookahead::bound_end(LaunchId launch, const Now& now) {
  Node& node = nodes_[index_of(launch)];
  const std::uint32_t owner = owners_.owner_of(launch);
  node.bound = earliest_[owner];
  node.needs = bit_of(owner);
  if (node.is_notified) return;
  if (node.is_copy && node.begun) {
    node.bound = later(*node.begun, node.min_duration);
    if (node.is_with_links) node.bound = std::max(node.bound, now.next_of_links);
    node.needs = 0;
    return limit(owner, node.bound);
  }
  if (node.collective) {
    const Exchange& exchange = exchanges_[*node.collective];
    node.bound = std::max(node.bound, exchange.bound);
    node.needs |= exchange.needs;
    if (node.begun) return limit(owner, exchange.bound);
  }
  for (const LaunchId before : node.before) {
    node.bound = std::max(node.bound, nodes_[index_of(before)].bound);
    node.needs |= nodes_[index_of(before)].needs;
  }
  node.bound = later(node.bound, node.min_duration);
}

}  // namespace gdsim
