#include <gdsim/check/check_kernel.hpp>

#include <gdsim/check/check_program.hpp>
#include <gdsim/fit/clusters.hpp>
#include <gdsim/fit/refusal.hpp>

namespace gdsim {
namespace {

Issues check_range(const Kernel& kernel, std::size_t index) {
  const std::string at = item_path("kernels", index) + ".";
  Issues found;
  if (!volume(kernel.range.global)) found.push_back({at + "global", "has more than 2^64 work-items"});
  if (!volume(kernel.range.local)) found.push_back({at + "local", "has more than 2^64 work-items"});
  if (found.empty())
    for (const Refusal& refusal : edge_refusals(kernel))
      found.push_back({at + std::string(refusal.field),
                       refusal.message + "; `non_uniform: true` allows smaller work-groups at the edges",
                       std::string(refusal.code)});
  if (found.empty())
    for (const Refusal& refusal : cluster_shape_refusals(kernel))
      found.push_back({at + std::string(refusal.field), refusal.message, std::string(refusal.code)});
  return found;
}

/// Checks SLM, barriers, registers and sub-group of a work-group against the device.
Issues check_needs(const Kernel& kernel, std::size_t index, const DeviceSpec& device) {
  const std::string at = item_path("kernels", index) + ".";
  Issues found;
  for (const Refusal& refusal : core_refusals(kernel, device))
    found.push_back({at + std::string(refusal.field), refusal.message, std::string(refusal.code)});
  return found;
}

bool is_one_compute(const Program& program) {
  return program.size() == 1 && std::holds_alternative<Compute>(program.front());
}

/// Checks declared factors and durations, and draws.
Issues check_variation(const Kernel& kernel, std::size_t index) {
  const std::string at = item_path("kernels", index) + ".variation.";
  const std::string list = at + "work_groups";
  Issues found;
  if (kernel.variation.first_wave && kernel.variation.first_wave->is_zero())
    found.push_back({at + "first_wave", "a factor must be more than 0"});
  const std::uint64_t groups = kernel.range.group_count();
  for (const WorkGroupFactor& entry : kernel.variation.factors) {
    const std::string path = item_path(list, number_of(entry.work_group));
    if (number_of(entry.work_group) >= groups)
      found.push_back({path, "there is no work-group " + std::to_string(number_of(entry.work_group)) +
                                 "; the kernel has " + std::to_string(groups) + ", numbered from 0"});
    if (entry.factor.is_zero()) found.push_back({path, "a factor must be more than 0"});
    if (entry.duration && !is_one_compute(kernel.program))
      found.push_back({path,
                       "a duration is for a kernel whose program is one `compute` and nothing else, as in "
                       "`program: [compute: 1 us]`; give a factor, such as 1.5"});
  }
  return found;
}

}  // namespace

Issues check_kernel(const Kernel& kernel, std::size_t index, const DeviceSpec* device, KnownParts known) {
  Issues found = check_range(kernel, index);
  if (device == nullptr || !kernel.range.is_countable()) return found;
  if (known.needs) append(found, check_needs(kernel, index, *device));
  if (!known.program) return found;
  append(found, check_program(kernel, index, *device));
  append(found, check_variation(kernel, index));
  return found;
}

}  // namespace gdsim
