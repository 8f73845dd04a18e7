#include <gdsim/device/device_faults.hpp>

#include <algorithm>

namespace gdsim {
namespace {

constexpr std::uint64_t kMostCores = 100'000;
constexpr std::uint64_t kMostContextsPerCore = 10'000;
constexpr std::uint64_t kMostRegisters = 1'000'000'000;
constexpr Bytes kMostSlm{std::int64_t{1} << 40};

void check_count(std::vector<DeviceFault>& faults, const char* field, std::uint64_t value, std::uint64_t most) {
  if (value == 0) faults.push_back({field, "must be at least 1"});
  if (value > most) faults.push_back({field, std::to_string(value) + " is more than " + std::to_string(most)});
}

void check_limit(std::vector<DeviceFault>& faults, const char* field, Limit limit) {
  if (limit.count == 0U) faults.push_back({field, "must be at least 1, or unlimited"});
}

/// Strictly ascending.
template <class T>
bool is_ladder(const std::vector<T>& steps) {
  return std::adjacent_find(steps.begin(), steps.end(), [](T a, T b) { return a >= b; }) == steps.end();
}

void check_sub_groups(const DeviceSpec& device, std::vector<DeviceFault>& faults) {
  const auto& sizes = device.sub_group_sizes;
  if (sizes.empty()) faults.push_back({"sub_group_sizes", "needs at least one size"});
  if (!sizes.empty() && sizes.front() == 0) faults.push_back({"sub_group_sizes", "a size must be at least 1"});
  if (!is_ladder(sizes)) faults.push_back({"sub_group_sizes", "must ascend, each size once"});
}

void check_slm(const SlmRule& slm, std::vector<DeviceFault>& faults) {
  if (slm.per_core > kMostSlm) faults.push_back({"slm.per_core", "is more than 1 TiB"});
  if (!is_ladder(slm.sizes)) faults.push_back({"slm.sizes", "must ascend, each size once"});
  if (!is_ladder(slm.pools)) faults.push_back({"slm.pools", "must ascend, each size once"});
  if (!slm.pools.empty() && slm.pools.back() > slm.per_core)
    faults.push_back({"slm.pools", "the largest is more than the core has"});
  if (slm.granule.count == 0) faults.push_back({"slm.granule", "must be more than 0"});
  if (!slm.sizes.empty() && slm.granule.count != 1)
    faults.push_back({"slm.granule", "memory is handed out in sizes or in granules, not in both"});
  if (slm.reserve > kMostSlm) faults.push_back({"slm.reserve", "is more than 1 TiB"});
}

void check_registers(const DeviceSpec& device, std::vector<DeviceFault>& faults) {
  if (device.registers) {
    check_count(faults, "registers.per_engine", device.registers->per_engine, kMostRegisters);
    check_count(faults, "registers.granule", device.registers->granule, kMostRegisters);
    check_count(faults, "registers.accumulation_alignment", device.registers->accumulation_alignment, kMostRegisters);
  }
  if (device.scalar_registers) {
    check_count(faults, "scalar_registers.per_engine", device.scalar_registers->per_engine, kMostRegisters);
    check_count(faults, "scalar_registers.granule", device.scalar_registers->granule, kMostRegisters);
    if (device.scalar_registers->reserve > kMostRegisters)
      faults.push_back({"scalar_registers.reserve", "is more than " + std::to_string(kMostRegisters)});
  }
  if (device.large_grf_contexts)
    check_count(faults, "large_grf.contexts_per_thread", *device.large_grf_contexts, device.contexts_per_engine);
}

void check_core_groups(const DeviceSpec& device, std::vector<DeviceFault>& faults) {
  std::uint64_t groups = 1;
  for (const CoreGroupLevel& level : device.core_groups) {
    groups *= std::max<std::uint32_t>(level.count, 1);
    if (level.count == 0) faults.push_back({"core_groups", level.name + ": there must be at least one"});
    if (groups > device.cores) {
      faults.push_back({"core_groups", level.name + ": there are more groups than cores"});
      return;
    }
  }
}

void check_tie_order(const DeviceSpec& device, std::vector<DeviceFault>& faults) {
  if (device.tie_order.empty()) return;
  std::vector<CoreId> sorted = device.tie_order;
  std::sort(sorted.begin(), sorted.end());
  bool each_once = sorted.size() == device.cores;
  for (std::size_t i = 0; each_once && i < sorted.size(); ++i) each_once = index_of(sorted[i]) == i;
  if (!each_once) faults.push_back({"tie_order", "must name every core from 0 to cores - 1 once"});
}

}  // namespace

std::vector<DeviceFault> device_faults(const DeviceSpec& device) {
  std::vector<DeviceFault> faults;
  check_count(faults, "cores", device.cores, kMostCores);
  check_count(faults, "engines_per_core", device.engines_per_core, kMostContextsPerCore);
  check_count(faults, "contexts_per_engine", device.contexts_per_engine, kMostContextsPerCore);
  if (std::uint64_t{device.engines_per_core} * device.contexts_per_engine > kMostContextsPerCore)
    faults.push_back({"contexts_per_engine", "makes more than 10000 contexts per core"});
  check_count(faults, "max_work_group_size", device.max_work_group_size, 0xFFFF'FFFFU);
  check_limit(faults, "work_groups_per_core", device.work_groups_per_core);
  check_limit(faults, "work_groups_with_barrier_or_slm", device.work_groups_with_barrier_or_slm);
  check_sub_groups(device, faults);
  check_slm(device.slm, faults);
  check_registers(device, faults);
  check_core_groups(device, faults);
  check_tie_order(device, faults);
  check_limit(faults, "dispatch.ports", device.dispatch.ports);
  return faults;
}

}  // namespace gdsim
