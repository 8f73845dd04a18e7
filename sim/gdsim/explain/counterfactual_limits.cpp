#include <gdsim/analysis/longest_kernel.hpp>
#include <gdsim/analysis/peer_waits.hpp>
#include <gdsim/explain/counterfactual_changes.hpp>
#include <gdsim/fit/limits.hpp>

#include <fmt/format.h>

#include <cstdint>
#include <initializer_list>
#include <vector>

namespace gdsim {
namespace {

/// `Registers: 3 blocks of gemm fit on one SM`: of the kernel whose launch lasted longest, or else of the launched one
/// that it limits most. Kernels of collectives, which stay unchanged, are left out. If it limits no kernel, `they_are`
/// stands for `name` in a sentence.
std::string limit_words(const Baseline& run, const std::string& name, const std::string& they_are,
                        std::initializer_list<Resource> resources) {
  const Terms& terms = run.terms();
  std::string words = fmt::format("{}: {} not what limits how many {}s fit", name, they_are, terms.work_group);
  const Workload& workload = run.scenario().workload;
  const Kernel* longest = longest_own_kernel(workload, run.record());
  std::uint64_t min = UINT64_MAX;
  for (const Kernel* kernel : own_launched_kernels(workload)) {
    const ResourceLimits limits = limits_of(*kernel, run.scenario().device);
    for (const Resource resource : resources)
      if (const auto count = limits.of(resource);
          count && *count == limits.work_groups_per_core() && (*count < min || kernel == longest)) {
        min = kernel == longest ? 0 : *count;
        words = fmt::format("{}: {} {}{} of {} fit{} on one {}", name, *count, terms.work_group, *count == 1 ? "" : "s",
                            kernel->name, *count == 1 ? "s" : "", terms.core);
      }
  }
  return words;
}

}  // namespace

std::optional<ChangeWords> remove_register_limits(const Baseline& run, Scenario& changed) {
  DeviceSpec& device = changed.device;
  if (!device.registers && !device.scalar_registers) return std::nullopt;
  device.registers.reset();
  device.scalar_registers.reset();
  bool is_changed = false;
  for (Kernel& kernel : changed.workload.kernels) {
    KernelNeeds& needs = kernel.needs;
    is_changed |= needs.registers > 0 || needs.accumulation_registers > 0 || needs.scalar_registers > 0;
    needs.registers = needs.accumulation_registers = needs.scalar_registers = 0;
  }
  if (!is_changed) return std::nullopt;
  return limit_words(run, "Registers", "they are", {Resource::registers, Resource::scalar_registers});
}

std::optional<ChangeWords> remove_slm_allocation(const Baseline& run, Scenario& changed) {
  bool is_changed = false;
  for (Kernel& kernel : changed.workload.kernels) {
    SlmRequest& slm = kernel.needs.slm;
    is_changed |= slm.total.count > 0;
    slm.total = slm.dynamic = {};
    slm.max_dynamic.reset();
  }
  changed.device.slm.reserve = {};
  if (!is_changed) return std::nullopt;
  return ChangeWords{limit_words(run, "Allocation of " + run.terms().slm, "it is", {Resource::slm}), "without that",
                     port_artefact(run.scenario(), changed)};
}

std::optional<ChangeWords> remove_slots(const Baseline& run, Scenario& changed) {
  DeviceSpec& device = changed.device;
  if (!device.work_groups_per_core && !device.work_groups_with_barrier_or_slm) return std::nullopt;
  device.work_groups_per_core.reset();
  device.work_groups_with_barrier_or_slm.reset();
  return limit_words(run, "Slots for " + run.terms().work_group + "s", "they are", {Resource::work_group_slots});
}

}  // namespace gdsim
