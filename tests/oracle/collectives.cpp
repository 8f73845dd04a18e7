#include "oracle/collectives.hpp"

namespace gdsim::oracle {
namespace {

std::size_t depth_of(std::size_t member) { return member == 0 ? 0 : 1 + depth_of((member - 1) / 2); }

/// The hops between the members at this depth and their parents.
std::vector<Hop> hops_at(const Collective& collective, std::size_t depth, bool goes_up) {
  std::vector<Hop> hops;
  for (std::size_t member = 1; member < collective.devices.size(); ++member) {
    if (depth_of(member) != depth) continue;
    const std::size_t child = index_of(collective.devices[member]);
    const std::size_t parent = index_of(collective.devices[(member - 1) / 2]);
    hops.push_back({goes_up ? child : parent, goes_up ? parent : child, collective.bytes.count});
  }
  return hops;
}

std::vector<std::vector<Hop>> rounds_of_ring(const Collective& collective) {
  const std::size_t count = collective.devices.size();
  const auto members = static_cast<std::int64_t>(count);
  std::vector<std::vector<Hop>> rounds;
  const std::size_t times = collective.kind == CollectiveKind::all_reduce ? 2 : 1;
  for (std::size_t round = 0; round < times * (count - 1); ++round) {
    std::vector<Hop>& hops = rounds.emplace_back();
    for (std::size_t member = 0; member < count; ++member)
      hops.push_back({index_of(collective.devices[member]), index_of(collective.devices[(member + 1) % count]),
                      (collective.bytes.count + members - 1) / members});
  }
  return rounds;
}

}  // namespace

std::vector<std::vector<Hop>> rounds_of(const Collective& collective) {
  if (collective.algorithm == CollectiveAlgorithm::ring) return rounds_of_ring(collective);
  const std::size_t deepest = depth_of(collective.devices.size() - 1);
  std::vector<std::vector<Hop>> rounds;
  if (collective.kind == CollectiveKind::all_reduce)
    for (std::size_t depth = deepest; depth > 0; --depth) rounds.push_back(hops_at(collective, depth, true));
  for (std::size_t depth = 1; depth <= deepest; ++depth) rounds.push_back(hops_at(collective, depth, false));
  return rounds;
}

}  // namespace gdsim::oracle
