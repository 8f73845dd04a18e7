#include <gdsim/occupancy/next_step.hpp>

#include <gdsim/fit/footprint.hpp>
#include <gdsim/fit/limits.hpp>

#include <algorithm>

namespace gdsim {
namespace {

/// Returns the kernel's value that decides how much of a resource a work-group takes, or nullopt if there is none.
std::optional<std::uint64_t> value_of(const Kernel& kernel, const DeviceSpec& device, Resource resource) {
  const KernelNeeds& needs = kernel.needs;
  switch (resource) {
    case Resource::threads: return kernel.threads_per_work_group();
    case Resource::slm: return static_cast<std::uint64_t>(needs.slm.total.count);
    case Resource::barriers: return needs.barriers;
    case Resource::registers:
      if (device.grf_per_context) return needs.registers;
      return device.registers->per_lane(needs.registers, needs.accumulation_registers);
    case Resource::scalar_registers: return needs.scalar_registers;
    case Resource::work_group_slots: return std::nullopt;
  }
  return std::nullopt;
}

Kernel with_value(Kernel kernel, Resource resource, std::uint64_t value) {
  switch (resource) {
    case Resource::threads:
      kernel.range.local = {1, 1, value * kernel.sub_group};  // limits are those of full work-groups
      break;
    case Resource::slm:
      kernel.needs.slm.total = Bytes{static_cast<std::int64_t>(value)};
      kernel.needs.slm.dynamic = std::min(kernel.needs.slm.dynamic, kernel.needs.slm.total);
      break;
    case Resource::barriers: kernel.needs.barriers = static_cast<std::uint32_t>(value); break;
    case Resource::registers:
      // This is the sum of vector and accumulation registers.
      kernel.needs.registers = static_cast<std::uint32_t>(value);
      kernel.needs.accumulation_registers = 0;
      break;
    case Resource::scalar_registers: kernel.needs.scalar_registers = static_cast<std::uint32_t>(value); break;
    case Resource::work_group_slots: break;
  }
  return kernel;
}

bool allows(const Kernel& kernel, const DeviceSpec& device, Resource resource, std::uint64_t count) {
  const auto limit = limits_of(kernel, device).limit_of(resource);
  return !limit || *limit >= count;
}

/// Returns the largest lower value that allows `count` work-groups, or nullopt. A lower value never allows fewer.
std::optional<std::uint64_t> largest_that_allows(const Kernel& kernel, const DeviceSpec& device, Resource resource,
                                                 std::uint64_t count) {
  const auto now = value_of(kernel, device, resource);
  const std::uint64_t min = resource == Resource::threads ? 1 : 0;
  if (!now || *now <= min || !allows(with_value(kernel, resource, min), device, resource, count)) return std::nullopt;
  std::uint64_t low = min;    // allows `count`
  std::uint64_t high = *now;  // does not allow `count`
  while (high - low > 1) {
    const std::uint64_t middle = low + (high - low) / 2;
    (allows(with_value(kernel, resource, middle), device, resource, count) ? low : high) = middle;
  }
  return low;
}

}  // namespace

NextStep next_step(const Kernel& kernel, const DeviceSpec& device) {
  const ResourceLimits limits = limits_of(kernel, device);
  NextStep step;
  step.work_groups = limits.work_groups_per_core() + 1;
  Kernel changed = kernel;
  for (const Resource resource : limits.limiters()) {
    // A change for another resource may have relieved this one already.
    if (allows(changed, device, resource, step.work_groups)) continue;
    const auto value = largest_that_allows(changed, device, resource, step.work_groups);
    if (!value) return {{}, resource, limits.work_groups_per_core()};
    std::uint64_t from = *value_of(kernel, device, resource);
    std::uint64_t to = *value;
    if (resource == Resource::threads) {
      from = kernel.range.group_size();
      to *= kernel.sub_group;
    }
    step.changes.push_back({resource, from, to});
    changed = with_value(changed, resource, *value);
  }
  // Where amounts are allocated in steps, more may fit than were asked for.
  step.work_groups = limits_of(changed, device).work_groups_per_core();
  return step;
}

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
    groups = std::min(groups, limits.limit_of(r).value_or(groups));
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
