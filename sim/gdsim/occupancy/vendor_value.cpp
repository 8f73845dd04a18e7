#include <gdsim/occupancy/vendor_value.hpp>

#include <gdsim/fit/footprint.hpp>

#include <algorithm>

namespace gdsim {
namespace {

/// The value if every work-group of the launch ran on one core: at most the launch's number of them counts.
std::optional<VendorValue> capped(const Kernel& kernel, const DeviceSpec& device, const Occupancy& occupancy,
                                  GlobalSize global) {
  if (global == GlobalSize::any || occupancy.status == FitStatus::refused) return std::nullopt;
  const std::uint64_t count = std::min(occupancy.work_groups_per_core, kernel.range.group_count());
  return VendorValue{VendorOccupancy::capped_by_work_groups,
                     {UInt128{count * occupancy.threads_per_work_group} * 100, device.contexts_per_core()}};
}

/// Threads per engine that the register file allows, at least one.
std::uint64_t file_waves(std::uint64_t file, std::uint64_t need, std::uint64_t max) {
  return need == 0 ? max : std::clamp<std::uint64_t>(file / need, 1, max);
}

/// Returns threads per engine, rounded up, at least one; never nullopt. Each limit is applied on its own: registers may
/// fit even if the work-group does not.
std::optional<VendorValue> waves_per_engine(const Kernel& kernel, const DeviceSpec& device,
                                            const Occupancy& occupancy) {
  const std::uint64_t max = device.contexts_per_engine;
  const ResourceLimits& limits = occupancy.limits;
  std::uint64_t groups = device.contexts_per_core() / occupancy.threads_per_work_group;
  for (const Resource r : {Resource::work_group_slots, Resource::barriers, Resource::slm})
    groups = std::min(groups, limits.of(r).value_or(groups));
  const std::uint64_t threads = groups * occupancy.threads_per_work_group;
  std::uint64_t waves =
      std::clamp<std::uint64_t>((threads + device.engines_per_core - 1) / device.engines_per_core, 1, max);
  if (device.registers)
    waves = std::min(waves, file_waves(device.registers->per_engine, registers_per_thread(kernel, device), max));
  if (device.scalar_registers && kernel.needs.scalar_registers > 0)
    waves = std::min(waves, file_waves(device.scalar_registers->per_engine,
                                       device.scalar_registers->per_thread(kernel.needs.scalar_registers), max));
  return VendorValue{VendorOccupancy::waves_per_engine, {waves, 1}};
}

}  // namespace

std::optional<VendorValue> vendor_value(const Kernel& kernel, const DeviceSpec& device, const Occupancy& occupancy,
                                        GlobalSize global) {
  switch (device.vendor_occupancy) {
    case VendorOccupancy::none: return std::nullopt;
    case VendorOccupancy::capped_by_work_groups: return capped(kernel, device, occupancy, global);
    case VendorOccupancy::waves_per_engine: return waves_per_engine(kernel, device, occupancy);
  }
  return std::nullopt;
}

std::string describe(const VendorValue& value) {
  return value.definition == VendorOccupancy::waves_per_engine
             ? to_fixed(value.value, 0) + " per engine (rounded up; the tool applies each limit on its own)"
             : to_fixed(value.value, 1) + " % (the tool assumes that one core runs all work-groups of the launch)";
}

}  // namespace gdsim
