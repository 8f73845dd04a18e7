#include "oracle/groups.hpp"

#include "oracle/kernel_choice.hpp"

#include <gdsim/base/check.hpp>

#include <algorithm>

namespace gdsim::oracle {
namespace {

/// Returns the launch's work-groups that a partition among `groups` groups of cores gives to number `place`, in order.
std::vector<std::uint64_t> dealt_to(const World& world, std::size_t launch, std::size_t place, std::size_t groups) {
  const std::uint64_t size = world.kernel(launch).cluster_size();
  const std::uint64_t clusters = world.launches[launch].groups_total / size;
  std::vector<std::uint64_t> numbers;
  for (std::uint64_t cluster = 0; cluster < clusters; ++cluster) {
    const bool in_stretch = place * clusters / groups <= cluster && cluster < (place + 1) * clusters / groups;
    const bool in_cycle = cluster % groups == place;
    if (world.rules.partition->share == PartitionShare::contiguous ? in_stretch : in_cycle)
      for (std::uint64_t i = 0; i < size; ++i) numbers.push_back(cluster * size + i);
  }
  return numbers;
}

}  // namespace

std::vector<CoreSpan> cut(const CoreGroupLevel& level, CoreSpan span) {
  std::vector<CoreSpan> groups;
  std::size_t first = span.first;
  for (const std::uint32_t size : level.sizes) {
    groups.push_back({first, first + size});
    first += size;
  }
  const std::size_t cores = span.end - span.first;
  for (std::size_t i = 0; level.sizes.empty() && i < level.count; ++i)
    groups.push_back({span.first + i * cores / level.count, span.first + (i + 1) * cores / level.count});
  return groups;
}

std::vector<CoreSpan> groups_called(const DeviceSpec& device, const std::string& name) {
  std::vector<CoreSpan> groups{{0, device.cores}};
  for (const CoreGroupLevel& level : device.core_groups) {
    std::vector<CoreSpan> inner;
    for (const CoreSpan& group : groups)
      for (const CoreSpan& part : cut(level, group)) inner.push_back(part);
    groups = inner;
    if (level.name == name || (name == "core_group" && device.core_groups.size() == 1)) return groups;
  }
  GDSIM_CHECK(false, "the oracle does not know this level");
  return {};
}

std::vector<std::size_t> cores_of_cluster(const World& world, const DispatcherState& dispatcher, std::size_t launch,
                                          std::size_t core, std::uint64_t cluster_size) {
  if (cluster_size == 1) return {core};
  const auto are_together = [core](const std::vector<CoreSpan>& groups, std::size_t other) {
    return std::any_of(groups.begin(), groups.end(), [&](const CoreSpan& group) {
      return group.first <= std::min(core, other) && std::max(core, other) < group.end;
    });
  };
  std::vector<std::size_t> cores;
  for (const std::size_t other : cores_of(world, launch))
    if (other >= dispatcher.first && other < dispatcher.end &&
        are_together(groups_called(world.device, world.device.clusters->within), other) &&
        (!world.rules.partition || are_together(groups_called(world.device, world.rules.partition->across), other)))
      cores.push_back(other);
  return cores;
}

std::optional<std::uint64_t> next_number(const World& world, std::size_t launch, std::size_t core) {
  const LaunchState& state = world.launches[launch];
  if (!world.rules.partition) {
    if (state.groups_begun == state.groups_total) return std::nullopt;
    return state.groups_begun;
  }
  const std::vector<std::size_t> allowed = cores_of(world, launch);
  std::vector<CoreSpan> groups = groups_called(world.device, world.rules.partition->across);
  std::erase_if(groups, [&](const CoreSpan& group) {
    return std::none_of(allowed.begin(), allowed.end(),
                        [&](std::size_t id) { return group.first <= id && id < group.end; });
  });
  for (std::size_t place = 0; place < groups.size(); ++place) {
    if (core < groups[place].first || core >= groups[place].end) continue;
    for (const std::uint64_t number : dealt_to(world, launch, place, groups.size()))
      if (!state.numbers_begun.contains(number)) return number;
  }
  return std::nullopt;
}

}  // namespace gdsim::oracle
