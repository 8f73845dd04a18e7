#include <gdsim/dispatch/placement/cluster_room.hpp>

#include <map>
#include <optional>
#include <string>
#include <utility>

namespace gdsim {
namespace {

/// Returns, by core, its group of the level, or 0 if there is no such level.
std::vector<std::size_t> groups_by_core(const DeviceSpec& device, const std::optional<std::string>& level) {
  std::vector<std::size_t> numbers(device.cores, 0);
  const auto groups = level ? groups_of_level(device, *level) : std::nullopt;
  if (!groups) return numbers;
  for (std::size_t i = 0; i < groups->size(); ++i)
    for (std::size_t core = (*groups)[i].first; core < (*groups)[i].last; ++core) numbers[core] = i;
  return numbers;
}

}  // namespace

ClusterRoom::ClusterRoom(const DeviceSpec& device, const DispatchRules& rules, const CoreBlock& cores)
    : first_(cores.first) {
  if (!device.clusters) return;
  const auto clusters = groups_by_core(device, device.clusters->within);
  const auto partitions =
      groups_by_core(device, rules.partition ? std::optional(rules.partition->across) : std::nullopt);
  std::map<std::pair<std::size_t, std::size_t>, std::uint32_t> known;
  for (std::size_t core = cores.first; core < cores.last; ++core) {
    const auto [entry, is_new] =
        known.emplace(std::pair(clusters[core], partitions[core]), static_cast<std::uint32_t>(groups_.size()));
    if (is_new) groups_.emplace_back();
    groups_[entry->second].push_back(static_cast<CoreId>(core));
    groups_of_.push_back(entry->second);
  }
  has_room_.resize(cores.count(), false);
  counts_.resize(groups_.size(), 0);
}

bool ClusterRoom::set(CoreId core, bool has_room, std::uint64_t size) {
  const bool could = can_take(core, size);
  auto known = has_room_[index_of(core) - first_];
  counts_[group_of(core)] += std::uint64_t{has_room} - std::uint64_t{known};
  known = has_room;
  return can_take(core, size) != could;
}

}  // namespace gdsim
