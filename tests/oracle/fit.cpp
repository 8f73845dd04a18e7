#include "oracle/fit.hpp"

#include "oracle/world.hpp"

#include <algorithm>

namespace gdsim::oracle {
namespace {

std::uint64_t round_up(std::uint64_t amount, std::uint64_t granule) {
  return (amount + granule - 1) / granule * granule;
}

/// Returns the first of `steps` that is at least `amount`.
std::optional<std::int64_t> step_up(const std::vector<Bytes>& steps, std::int64_t amount) {
  for (const Bytes step : steps)
    if (step.count >= amount) return step.count;
  return std::nullopt;
}

std::int64_t slm_of(const SlmRule& rule, std::int64_t asked) {
  const auto up = [](std::int64_t amount, std::int64_t granule) { return (amount + granule - 1) / granule * granule; };
  if (rule.sizes.empty()) return up(asked, rule.granule.count) + rule.reserve.count;
  return (asked == 0 ? 0 : step_up(rule.sizes, asked).value()) + rule.reserve.count;
}

/// Returns the next pool above the kernel's requested carve-out in which its work-group fits.
std::int64_t pool_of(const SlmRule& rule, const Kernel& kernel, std::int64_t allocated) {
  const auto percent = kernel.needs.slm.carveout_percent;
  if (!percent || rule.pools.empty()) return rule.per_core.count;
  const std::int64_t wished = (rule.per_core.count * *percent + 99) / 100;
  return step_up(rule.pools, std::max(wished, allocated)).value_or(rule.per_core.count);
}

std::uint64_t registers_of(const DeviceSpec& device, const Kernel& kernel) {
  if (!device.registers) return 0;
  const RegisterRule& rule = *device.registers;
  const std::uint64_t vector = kernel.needs.registers;
  const std::uint64_t accumulation = kernel.needs.accumulation_registers;
  std::uint64_t lane = vector;
  if (rule.accumulation == Accumulation::separate) lane = std::max(vector, accumulation);
  if (rule.accumulation == Accumulation::unified && accumulation > 0)
    lane = round_up(vector, rule.accumulation_alignment) + accumulation;
  return round_up(lane * kernel.sub_group, rule.granule);
}

bool exceeds(Int128 held, Int128 need, std::optional<std::uint64_t> limit) {
  return need > 0 && limit && held + need > *limit;
}

std::uint64_t more(Int128 held, Int128 need, std::optional<std::uint64_t> limit) {
  if (need == 0 || !limit) return ~std::uint64_t{0};
  return static_cast<std::uint64_t>((Int128{*limit} - held) / need);
}

std::uint64_t room_on(const DeviceSpec& device, const EngineHolds& held, const Need& need) {
  std::uint64_t capacity = (device.contexts_per_engine - held.contexts) / need.contexts;
  if (device.registers)
    capacity = std::min(capacity, more(held.registers, need.registers, {device.registers->per_engine}));
  if (device.scalar_registers)
    capacity =
        std::min(capacity, more(held.scalar_registers, need.scalar_registers, {device.scalar_registers->per_engine}));
  return capacity;
}

/// Returns the beginnings of free ranges of contexts for such a work-group: at multiples of its length, ascending.
std::vector<std::uint64_t> free_runs(const DeviceSpec& device, const Core& core, const Need& need) {
  const std::uint64_t length = need.threads * need.contexts;
  std::vector<std::uint64_t> runs;
  for (std::uint64_t first = 0; first + length <= device.contexts_per_core(); first += length) {
    const bool is_free = std::none_of(core.runs.begin(), core.runs.end(), [&](const auto& run) {
      return run.second < first + length && first < run.second + run.first->need.threads * run.first->need.contexts;
    });
    if (is_free) runs.push_back(first);
  }
  return runs;
}

}  // namespace

bool has_run(const DeviceSpec& device, const Core& core, const Need& need) {
  return device.context_allocation == ContextAllocation::counted || !free_runs(device, core, need).empty();
}

Need need_of(const DeviceSpec& device, const Kernel& kernel, std::uint64_t threads) {
  Need need;
  need.threads = static_cast<std::uint32_t>(threads);
  if (kernel.needs.grf == GrfMode::large) need.contexts = device.large_grf_contexts.value();
  need.registers = registers_of(device, kernel);
  if (device.scalar_registers && kernel.needs.scalar_registers > 0)
    need.scalar_registers =
        round_up(kernel.needs.scalar_registers, device.scalar_registers->granule) + device.scalar_registers->reserve;
  need.slm = slm_of(device.slm, kernel.needs.slm.total.count);
  need.pool = pool_of(device.slm, kernel, need.slm);
  const bool uses_barrier = device.barrier_use == BarrierUse::multi_thread ? threads > 1 : has_barrier(kernel.program);
  need.barriers = kernel.needs.barriers.value_or(uses_barrier ? 1 : 0);
  need.counts_as_barrier_or_slm = need.barriers > 0 || kernel.needs.slm.total.count > 0;
  return need;
}

void choose_pool(const DeviceSpec& device, const Kernel& kernel, Need& need) {
  need.chosen_pool = need.pool;
  need.joins_larger_pool = !kernel.needs.slm.carveout_percent;
  if (kernel.needs.slm.carveout_percent || device.slm.pools.empty()) return;
  const Need full = need_of(device, kernel, kernel.threads_per_work_group());
  Core empty;
  empty.engines.resize(device.engines_per_core);
  std::uint64_t resident = group_capacity(device, empty, full);
  if (kernel.needs.slm.total.count == 0) resident = device.work_groups_per_core.value_or(resident);
  need.chosen_pool = step_up(device.slm.pools, static_cast<std::int64_t>(resident) * full.slm).value_or(need.pool);
}

bool group_fits(const DeviceSpec& device, const Core& core, const Need& need) {
  return !exceeds(core.slots, 1, device.work_groups_per_core) &&
         !exceeds(core.barrier_or_slm_slots, need.counts_as_barrier_or_slm ? 1 : 0,
                  device.work_groups_with_barrier_or_slm) &&
         !exceeds(core.barriers, need.barriers, device.barriers_per_core) &&
         (need.slm == 0 || core.slm + need.slm <= need.pool);
}

std::optional<std::size_t> engine_for(const DeviceSpec& device, const Core& core, const Need& need) {
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < core.engines.size(); ++i)
    if (room_on(device, core.engines[i], need) > 0 &&
        (!best || core.engines[i].contexts < core.engines[*best].contexts))
      best = i;
  return best;
}

std::uint64_t thread_capacity(const DeviceSpec& device, const Core& core, const Need& need) {
  std::uint64_t capacity = 0;
  for (const EngineHolds& engine : core.engines) capacity += room_on(device, engine, need);
  return capacity;
}

std::uint64_t group_capacity(const DeviceSpec& device, const Core& core, const Need& need) {
  std::uint64_t capacity = thread_capacity(device, core, need) / need.threads;
  capacity = std::min(capacity, more(core.slots, 1, device.work_groups_per_core));
  capacity = std::min(capacity, more(core.barriers, need.barriers, device.barriers_per_core));
  if (need.counts_as_barrier_or_slm)
    capacity = std::min(capacity, more(core.barrier_or_slm_slots, 1, device.work_groups_with_barrier_or_slm));
  if (need.slm > 0) capacity = std::min(capacity, static_cast<std::uint64_t>((need.pool - core.slm) / need.slm));
  if (device.context_allocation == ContextAllocation::aligned_ranges)
    capacity = std::min<std::uint64_t>(capacity, free_runs(device, core, need).size());
  return capacity;
}

void take_group(const DeviceSpec& device, Core& core, Group& group) {
  if (device.context_allocation == ContextAllocation::aligned_ranges)
    core.runs[&group] = free_runs(device, core, group.need).front();
  core.slots += 1;
  core.barrier_or_slm_slots += group.need.counts_as_barrier_or_slm ? 1 : 0;
  core.slm += group.need.slm;
  core.barriers += group.need.barriers;
  if (core.groups.empty()) core.pool = group.need.chosen_pool;
  core.groups.push_back(&group);
}

void release_group(Core& core, const Group& group) {
  core.slots -= 1;
  core.barrier_or_slm_slots -= group.need.counts_as_barrier_or_slm ? 1 : 0;
  core.slm -= group.need.slm;
  core.barriers -= group.need.barriers;
  core.runs.erase(&group);
  core.groups.erase(std::find(core.groups.begin(), core.groups.end(), &group));
}

void take_thread(Core& core, std::size_t engine, const Need& need) {
  core.engines[engine].threads += 1;
  core.engines[engine].contexts += need.contexts;
  core.engines[engine].registers += need.registers;
  core.engines[engine].scalar_registers += need.scalar_registers;
}

void release_thread(Core& core, std::size_t engine, const Need& need) {
  core.engines[engine].threads -= 1;
  core.engines[engine].contexts -= need.contexts;
  core.engines[engine].registers -= need.registers;
  core.engines[engine].scalar_registers -= need.scalar_registers;
}

}  // namespace gdsim::oracle
