#include <gdsim/analysis/collective_kernels.hpp>
#include <gdsim/analysis/selected_launches.hpp>
#include <gdsim/base/text.hpp>
#include <gdsim/counterfactual/counterfactual.hpp>
#include <gdsim/fit/core.hpp>
#include <gdsim/fit/limits.hpp>
#include <gdsim/points/point_notes.hpp>
#include <gdsim/program/work_amounts.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <initializer_list>
#include <limits>
#include <set>
#include <vector>

namespace gdsim {
namespace {

std::uint64_t group_count(const Workload& workload) {
  std::uint64_t count = 0;
  for (const Launch& launch : workload.launches) {
    const std::uint64_t more = workload.kernel_of(launch).range.group_count();
    count = std::min<std::uint64_t>(count + std::min<std::uint64_t>(more, 2), 2);
  }
  return count;
}

}  // namespace

std::string port_artefact(const Scenario& scenario, const Scenario& changed) {
  const DispatchRules& rules = changed.dispatch;
  if (rules.admission != Admission::partial || !rules.ports || rules.handover != Handover::barrier_or_slm) return {};
  const auto& before = scenario.workload.kernels;
  const auto& after = changed.workload.kernels;
  bool is_lost = false;
  for (std::size_t i = 0; i < before.size(); ++i) is_lost |= binds_to_core(before[i]) && !binds_to_core(after[i]);
  if (!is_lost) return {};
  return fmt::format(
      "This loss is an artefact of the port rule. The dispatcher has {1}; a {0} that is placed in part keeps one "
      "unless the {0} has a barrier or {2}.",
      scenario.device.terms.work_group, counted(*rules.ports, "port"), scenario.device.terms.slm);
}

std::optional<ChangeWords> place_whole_work_groups(const Baseline& run, Scenario& changed) {
  DispatchRules& rules = changed.dispatch;
  if (!may_place_in_part(run.scenario())) return std::nullopt;
  const std::string group = run.terms().work_group;
  const std::string how =
      rules.admission == Admission::partial
          ? "part of a " + group + " when the whole " + group + " does not fit on the " + run.terms().core
          : "the " + run.terms().thread + "s of a " + group + " on several " + run.terms().core + "s";
  rules.admission = Admission::whole;
  rules.ports.reset();
  return ChangeWords{"Placement in part: the dispatcher places " + how, "with whole " + group + "s"};
}

std::optional<ChangeWords> remove_ports(const Baseline& run, Scenario& changed) {
  DispatchRules& rules = changed.dispatch;
  if (!may_place_in_part(run.scenario()) || rules.admission != Admission::partial || !rules.ports) return std::nullopt;
  const std::uint64_t ports = *rules.ports;
  rules.ports.reset();
  return ChangeWords{fmt::format("Ports: the dispatcher stops while {} {} placed in part",
                                 counted(ports, run.terms().work_group), ports == 1 ? "is" : "are"),
                     "with unlimited ports"};
}

std::optional<ChangeWords> change_placement(const Baseline& run, Scenario& changed, const std::string& placement) {
  const DispatchRules& rules = run.scenario().dispatch;
  if (placement == rules.placement || group_count(run.scenario().workload) < 2) return std::nullopt;
  if (placement == "group_round_robin" && run.scenario().device.core_groups.empty()) return std::nullopt;
  changed.dispatch.placement = placement;
  return ChangeWords{fmt::format("Placement: {} chooses the {}s", rules.placement, run.terms().core),
                     "with " + placement};
}

namespace {

/// `Registers: 3 blocks of gemm fit on one SM`: of the kernel whose launch lasted longest, or else of the launched one
/// that it limits most. Kernels of collectives, which stay unchanged, are left out. If it limits no kernel, `they_do`
/// stands for `name` in a sentence.
std::string limit_words(const Baseline& run, const std::string& name, const std::string& they_do,
                        std::initializer_list<Resource> resources) {
  const Terms& terms = run.terms();
  std::string words = fmt::format("{}: {} not limit how many {}s fit", name, they_do, terms.work_group);
  const Workload& workload = run.scenario().workload;
  const Kernel* longest = longest_own_kernel(workload, run.record());
  std::uint64_t min = UINT64_MAX;
  for (const Kernel* kernel : own_launched_kernels(workload)) {
    const ResourceLimits limits = limits_of(*kernel, run.scenario().device);
    for (const Resource resource : resources)
      if (const auto count = limits.limit_of(resource);
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
  return ChangeWords{limit_words(run, "Registers", "they do", {Resource::registers, Resource::scalar_registers}),
                     "with unlimited registers"};
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
  return ChangeWords{limit_words(run, "Allocation of " + run.terms().slm, "it does", {Resource::slm}),
                     "with unlimited " + run.terms().slm, port_artefact(run.scenario(), changed)};
}

std::optional<ChangeWords> remove_slots(const Baseline& run, Scenario& changed) {
  DeviceSpec& device = changed.device;
  if (!device.work_groups_per_core && !device.work_groups_with_barrier_or_slm) return std::nullopt;
  device.work_groups_per_core.reset();
  device.work_groups_with_barrier_or_slm.reset();
  return ChangeWords{
      limit_words(run, "Slots for " + run.terms().work_group + "s", "they do", {Resource::work_group_slots}),
      "with unlimited slots"};
}

namespace {

constexpr std::size_t kMaxSizes = 6;

/// Returns true if a work-group has nothing that a change of size would have to redistribute: SLM, working sets,
/// factors, children, parts that only some threads execute, tiles.
bool has_scalable_groups(const Kernel& kernel) {
  const NdRange& range = kernel.range;
  return range.local[0] == 1 && range.local[1] == 1 && range.is_uniform() && kernel.cluster.empty() &&
         kernel.needs.slm.total.count == 0 && !kernel.working_set && kernel.variation.factors.empty() &&
         !kernel.differs_by_group() && !has_step<LaunchChild>(kernel.program) && !has_step<Only>(kernel.program) &&
         !has_step<Tiles>(kernel.program);
}

std::string kernel_words(const Baseline& run, const Kernel& kernel) {
  return run.scenario().workload.kernels.size() > 1 ? " of " + kernel.name : std::string();
}

/// Returns true if the bytes of some step follow from the lines that its lanes access. Lines of other lanes are not
/// known here.
bool counts_lines(const Kernel& kernel) {
  return has_step_where<Memory>(kernel.program, [](const Memory& memory) { return memory.counts_lines; });
}

bool fits(const Kernel& kernel, const DeviceSpec& device) {
  return limits_of(kernel, device).work_groups_per_core() > 0;
}

}  // namespace

std::vector<std::uint64_t> other_work_group_sizes(const Kernel& kernel, const DeviceSpec& device) {
  if (!has_scalable_groups(kernel) || kernel.sub_group == 0) return {};
  const std::uint64_t size_now = kernel.range.local[2];
  const std::uint64_t global = kernel.range.global[2];
  std::set<std::uint64_t> sizes;
  const auto try_size = [&](std::uint64_t size) {
    if (size == size_now || size == 0 || size > device.max_work_group_size || sizes.size() >= kMaxSizes) return;
    if (size % kernel.sub_group == 0 && global % size == 0) sizes.insert(size);
  };
  for (const std::uint64_t size : {size_now / 2, size_now * 2, size_now / 4, size_now * 4}) try_size(size);
  // Sizes of which a whole number fills a core, the nearest first.
  std::vector<std::uint64_t> filling;
  for (std::uint64_t threads = 1; threads <= device.contexts_per_core(); ++threads)
    if (device.contexts_per_core() % threads == 0) filling.push_back(threads * kernel.sub_group);
  std::sort(filling.begin(), filling.end(), [&](std::uint64_t a, std::uint64_t b) {
    const auto distance = [&](std::uint64_t size) { return size > size_now ? size - size_now : size_now - size; };
    return distance(a) != distance(b) ? distance(a) < distance(b) : a < b;
  });
  for (const std::uint64_t size : filling) try_size(size);
  return {sizes.begin(), sizes.end()};
}

std::optional<ChangeWords> change_work_group_size(const Baseline& run, Scenario& changed, KernelId id,
                                                  std::uint64_t size) {
  Kernel& kernel = changed.workload.kernels[index_of(id)];
  const std::uint64_t size_before = kernel.range.local[2];
  kernel.range.local[2] = size;
  if (!fits(kernel, changed.device)) return std::nullopt;
  return ChangeWords{
      fmt::format("Size of {}s{}: {} work-items", run.terms().work_group, kernel_words(run, kernel), size_before),
      fmt::format("with {}", size)};
}

std::optional<ChangeWords> change_sub_group_size(const Baseline& run, Scenario& changed, KernelId id,
                                                 std::uint32_t size) {
  Kernel& kernel = changed.workload.kernels[index_of(id)];
  const std::uint32_t size_before = kernel.sub_group;
  if (size == size_before || size_before == 0 || !can_scale_lanes(kernel)) return std::nullopt;
  if (kernel.range.group_size() % std::max(size, size_before) != 0 || counts_lines(kernel)) return std::nullopt;
  kernel.sub_group = size;
  if (changed.device.grf_per_context)  // a GRF holds the values of several work-items
    kernel.needs.registers = static_cast<std::uint32_t>(
        std::min<std::uint64_t>((std::uint64_t{kernel.needs.registers} * size + size_before - 1) / size_before,
                                std::numeric_limits<std::uint32_t>::max()));
  scale_lanes(kernel, size_before, size);
  if (!fits(kernel, changed.device)) return std::nullopt;
  return ChangeWords{fmt::format("Sub-group size{}: {}", kernel_words(run, kernel), size_before),
                     fmt::format("with {} (and the work of a {} scaled to match)", size, run.terms().thread)};
}

std::optional<ChangeWords> change_grf_mode(const Baseline& run, Scenario& changed, KernelId id) {
  Kernel& kernel = changed.workload.kernels[index_of(id)];
  if (!run.scenario().device.large_grf_contexts) return std::nullopt;
  const bool was_large = kernel.needs.grf == GrfMode::large;
  kernel.needs.grf = was_large ? GrfMode::normal : GrfMode::large;
  if (!fits(kernel, changed.device)) return std::nullopt;
  return ChangeWords{fmt::format("Register mode{}: {}", kernel_words(run, kernel), was_large ? "large" : "normal"),
                     was_large ? "with the normal register mode" : "with the large register mode",
                     "On hardware the loss may be smaller: gdsim does not simulate what a thread saves with more "
                     "registers."};
}

}  // namespace gdsim
