#include <gdsim/fit/core.hpp>

#include <gdsim/base/check.hpp>
#include <gdsim/base/quantity.hpp>
#include <gdsim/device/core_blocks.hpp>
#include <gdsim/fit/limits.hpp>

#include <algorithm>
#include <numeric>
#include <vector>

namespace gdsim {

bool ContextRanges::is_free(std::uint32_t first, std::uint32_t length) const {
  const auto begin = is_taken_.begin() + first;
  return std::all_of(begin, begin + length, [](std::uint8_t taken) { return taken == 0; });
}

std::optional<std::uint32_t> ContextRanges::find(std::uint32_t length) const {
  for (std::uint32_t first = 0; first + length <= is_taken_.size(); first += length)
    if (is_free(first, length)) return first;
  return std::nullopt;
}

std::uint64_t ContextRanges::count(std::uint32_t length) const {
  std::uint64_t ranges = 0;
  for (std::uint32_t first = 0; first + length <= is_taken_.size(); first += length)
    if (is_free(first, length)) ++ranges;
  return ranges;
}

std::uint32_t ContextRanges::take(std::uint32_t length) {
  const auto first = find(length);
  GDSIM_CHECK(first.has_value(), "a core was given a work-group for which it has no range of contexts");
  std::fill_n(is_taken_.begin() + *first, length, std::uint8_t{1});
  return *first;
}

void ContextRanges::release(std::uint32_t first, std::uint32_t length) {
  const auto begin = is_taken_.begin() + first;
  GDSIM_CHECK(std::all_of(begin, begin + length, [](std::uint8_t taken) { return taken == 1; }),
              "contexts were released that were free");
  std::fill_n(begin, length, std::uint8_t{0});
}

Core::Core(const DeviceSpec& device, EngineDetail detail) {
  if (detail == EngineDetail::each) engines_.emplace(device);
  if (device.context_allocation == ContextAllocation::aligned_ranges) ranges_.emplace(device.contexts_per_core());
}

std::optional<Pool> Core::scarce_pool(const Footprint& footprint) const {
  const auto scarce = std::find_if(kPools.begin(), kPools.end(), [&](Pool p) {
    return footprint.work_group[p] != 0 && held_[p] + footprint.work_group[p] > footprint.capacity[p];
  });
  if (scarce == kPools.end()) return std::nullopt;
  return *scarce;
}

WaitReason Core::reason_of(Pool scarce) {
  switch (scarce) {
    case Pool::contexts: return WaitReason::contexts;
    case Pool::slots:
    case Pool::barrier_or_slm_slots: return WaitReason::work_group_slots;
    case Pool::slm: return WaitReason::slm;
    case Pool::barriers: break;
  }
  return WaitReason::barriers;
}

std::uint64_t Core::how_many_more(const Footprint& footprint) const {
  std::uint64_t count = how_many_fit(footprint, held_);
  if (ranges_) count = std::min(count, ranges_->count(contexts_of(footprint)));
  return engines_ ? std::min(count, engines_->capacity(footprint.thread) / footprint.threads) : count;
}

namespace {

/// Number of selected cores from `first` to `last` - 1.
std::uint64_t count_selected(const CoreSelection& cores, std::size_t first, std::size_t last) {
  if (cores.empty()) return last > first ? last - first : 0;
  std::uint64_t count = 0;
  for (const CoreRange& range : cores) {
    const std::size_t from = std::max<std::size_t>(first, index_of(range.first));
    const std::size_t to = std::min<std::size_t>(last, index_of(range.last) + std::size_t{1});
    if (from < to) count += to - from;
  }
  return count;
}

std::vector<CoreBlock> groups_or_all(const DeviceSpec& device, const std::string* level) {
  if (level != nullptr)
    if (auto groups = groups_of_level(device, *level)) return *groups;
  return {{0, device.cores, {}}};
}

/// Returns the number of a launch's `units` that partition `number` of `partitions` gets.
std::uint64_t dealt(std::uint64_t units, std::uint64_t number, std::uint64_t partitions, PartitionShare share) {
  if (share == PartitionShare::cyclic) return units > number ? (units - number - 1) / partitions + 1 : 0;
  const auto bound = [&](std::uint64_t partition) {
    return static_cast<std::uint64_t>(UInt128{partition} * units / partitions);
  };
  return bound(number + 1) - bound(number);
}

}  // namespace

std::uint64_t max_co_resident(const Kernel& kernel, const DeviceSpec& device, const DispatchRules& rules,
                              const CoreSelection& cores) {
  const std::uint64_t per_core = limits_of(kernel, device).work_groups_per_core();
  const std::uint64_t size = kernel.cluster_size();
  const bool has_clusters = size > 1 && device.clusters;
  const auto within = groups_or_all(device, has_clusters ? &device.clusters->within : nullptr);
  // By partition: number of clusters, or work-groups, that it holds.
  std::vector<std::uint64_t> rooms;
  for (const CoreBlock& partition : groups_or_all(device, rules.partition ? &rules.partition->across : nullptr)) {
    if (count_selected(cores, partition.first, partition.last) == 0) continue;
    std::uint64_t room = 0;
    for (const CoreBlock& group : within) {
      const std::uint64_t together =
          count_selected(cores, std::max(partition.first, group.first), std::min(partition.last, group.last));
      if (together >= size || !has_clusters) room += per_core * together / size;
    }
    rooms.push_back(room);
  }
  if (rooms.empty()) return 0;
  if (!rules.partition) return std::accumulate(rooms.begin(), rooms.end(), std::uint64_t{0}) * size;
  // The numbers of any two partitions differ by at most one.
  const std::uint64_t partitions = rooms.size();
  const std::uint64_t equal = *std::min_element(rooms.begin(), rooms.end()) * partitions;
  const auto fits = [&](std::uint64_t units) {
    for (std::uint64_t partition = 0; partition < partitions; ++partition)
      if (dealt(units, partition, partitions, rules.partition->share) > rooms[partition]) return false;
    return true;
  };
  std::uint64_t units = equal + partitions - 1;
  while (units > equal && !fits(units)) --units;
  return units * size;
}

}  // namespace gdsim
