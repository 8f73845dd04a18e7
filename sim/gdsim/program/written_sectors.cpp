#include <gdsim/program/written_sectors.hpp>

#include <algorithm>

namespace gdsim {

std::optional<std::size_t> fastest_shared_level(const MemoryRule& memory) {
  const auto shared = std::find_if(memory.levels.begin(), memory.levels.end(),
                                   [](const MemoryLevel& level) { return level.scope == "device"; });
  if (shared == memory.levels.end()) return std::nullopt;
  return static_cast<std::size_t>(shared - memory.levels.begin());
}

std::optional<StepTime> fence_latency(const DeviceSpec& device) {
  const auto shared = device.memory ? fastest_shared_level(*device.memory) : std::nullopt;
  return shared ? device.memory->levels[*shared].latency : std::nullopt;
}

std::optional<std::size_t> level_of_written_sectors(const MemoryRule& memory) {
  const auto level = fastest_shared_level(memory);
  return level && *level + 1 < memory.levels.size() ? level : std::nullopt;
}

bool counts_written_sectors(const DeviceSpec& device) {
  if (!device.written_sector || !device.memory) return false;
  if (!device.written_sector->is_merged && device.memory->levels.size() > 1) return true;
  const auto level = level_of_written_sectors(*device.memory);
  return level && device.memory->levels[*level].bandwidth;
}

std::int64_t written_bytes(const Memory& step, const DeviceSpec& device) {
  if (!step.written || !device.written_sector) return 0;
  return static_cast<std::int64_t>(step.written->whole) * device.written_sector->whole.count +
         static_cast<std::int64_t>(step.written->partial) * device.written_sector->partial.count;
}

std::int64_t unmerged_bytes(const Memory& step, const DeviceSpec& device, std::uint32_t sub_group) {
  if (!step.written || !device.written_sector || device.written_sector->is_merged) return 0;
  return static_cast<std::int64_t>(std::min<std::uint64_t>(step.written->partial, sub_group) * kSectorBytes);
}

}  // namespace gdsim
