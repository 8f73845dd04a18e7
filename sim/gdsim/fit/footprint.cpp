#include <gdsim/fit/footprint.hpp>

#include <gdsim/base/check.hpp>
#include <gdsim/fit/limits.hpp>

#include <algorithm>
#include <limits>
#include <map>

namespace gdsim {
namespace {

std::int64_t capacity_of(std::optional<std::uint64_t> limit) {
  return limit ? static_cast<std::int64_t>(*limit) : kUnlimited;
}

std::uint32_t barriers_of(const Kernel& kernel, const DeviceSpec& device, std::uint32_t threads) {
  if (kernel.needs.barriers) return *kernel.needs.barriers;
  if (device.barrier_use == BarrierUse::multi_thread) return threads > 1 ? 1 : 0;
  return has_barrier(kernel.program) ? 1 : 0;
}

EngineNeed engine_need(const Kernel& kernel, const DeviceSpec& device) {
  EngineNeed need;
  if (kernel.needs.grf == GrfMode::large) need.contexts = device.large_grf_contexts.value_or(1);
  need.registers = registers_per_thread(kernel, device);
  if (device.scalar_registers && kernel.needs.scalar_registers > 0)
    need.scalar_registers = device.scalar_registers->per_thread(kernel.needs.scalar_registers);
  return need;
}

}  // namespace

std::uint64_t registers_per_thread(const Kernel& kernel, const DeviceSpec& device) {
  if (!device.registers) return 0;
  const RegisterRule& rule = *device.registers;
  return rule.per_thread(rule.per_lane(kernel.needs.registers, kernel.needs.accumulation_registers), kernel.sub_group);
}

std::uint64_t registers_per_work_group(const Kernel& kernel, const DeviceSpec& device) {
  std::uint64_t threads = kernel.threads_per_work_group();
  if (device.registers && device.registers->work_group_basis == WorkGroupRegisterBasis::full_engines) {
    const std::uint64_t engines = device.engines_per_core;
    threads = (threads + engines - 1) / engines * engines;
  }
  return threads * registers_per_thread(kernel, device);
}

Bytes slm_limit(const Kernel& kernel, const DeviceSpec& device) {
  const SlmRule& rule = device.slm;
  if (!rule.without_opt_in) return rule.per_work_group;
  const SlmRequest& slm = kernel.needs.slm;
  if (slm.opt_in == SlmOptIn::no) return *rule.without_opt_in;
  if (!slm.max_dynamic) return rule.per_work_group;
  // The opt-in counts only if the SLM that may be requested with it exceeds the default.
  const Bytes max = slm.total - slm.dynamic + rule.reserve + *slm.max_dynamic;
  return max > *rule.without_opt_in ? rule.per_work_group : *rule.without_opt_in;
}

std::uint64_t how_many_fit(const Footprint& footprint, const Amounts& held) {
  std::int64_t count = std::numeric_limits<std::int64_t>::max();
  for (const Pool p : kPools)
    if (footprint.whole[p] > 0) count = std::min(count, (footprint.capacity[p] - held[p]) / footprint.whole[p]);
  return static_cast<std::uint64_t>(std::max<std::int64_t>(count, 0));
}

Footprint make_footprint(const Kernel& kernel, const DeviceSpec& device, std::uint32_t threads) {
  const Bytes slm = device.slm.allocated(kernel.needs.slm.total).value_or(kernel.needs.slm.total);
  const std::uint32_t barriers = barriers_of(kernel, device, threads);
  Footprint footprint;
  footprint.threads = threads;
  footprint.thread = engine_need(kernel, device);
  footprint.work_group[Pool::slots] = 1;
  footprint.work_group[Pool::barrier_or_slm_slots] = barriers > 0 || kernel.needs.slm.total.count > 0 ? 1 : 0;
  footprint.work_group[Pool::slm] = slm.count;
  footprint.work_group[Pool::barriers] = barriers;
  footprint.whole = footprint.work_group;
  footprint.whole[Pool::contexts] = std::int64_t{threads} * footprint.thread.contexts;
  footprint.capacity[Pool::contexts] = device.contexts_per_core();
  footprint.capacity[Pool::slots] = capacity_of(device.work_groups_per_core);
  footprint.capacity[Pool::barrier_or_slm_slots] = capacity_of(device.work_groups_with_barrier_or_slm);
  footprint.capacity[Pool::slm] = device.slm.pool(kernel.needs.slm.carveout_percent, slm).count;
  footprint.capacity[Pool::barriers] = capacity_of(device.barriers_per_core);
  footprint.most = how_many_fit(footprint, Amounts{});
  footprint.slm_pool = footprint.capacity[Pool::slm];
  footprint.joins_larger_pool = !kernel.needs.slm.carveout_percent;
  return footprint;
}

namespace {

/// Returns a key that is equal for equal footprints.
std::vector<std::int64_t> words_of(const Footprint& footprint) {
  std::vector<std::int64_t> words{footprint.threads, footprint.thread.contexts,
                                  static_cast<std::int64_t>(footprint.thread.registers),
                                  static_cast<std::int64_t>(footprint.thread.scalar_registers)};
  for (const Amounts& amounts : {footprint.work_group, footprint.whole, footprint.capacity})
    for (const Pool pool : kPools) words.push_back(amounts[pool]);
  words.push_back(footprint.slm_pool);
  words.push_back(footprint.joins_larger_pool ? 1 : 0);
  return words;
}

/// Returns the pool to which a core's SLM is set for the kernel: what its carve-out says, else the smallest that holds
/// as many of its full work-groups as fit on a core with all of the memory, or, if it requests none, the reserves of as
/// many work-groups as a core has slots.
std::int64_t pool_of(const Kernel& kernel, const DeviceSpec& device, const Footprint& full) {
  const std::vector<Bytes>& pools = device.slm.pools;
  if (kernel.needs.slm.carveout_percent || pools.empty()) return full.slm_pool;
  std::uint64_t resident = limits_of(kernel, device).work_groups_per_core();
  if (kernel.needs.slm.total.count == 0) resident = device.work_groups_per_core.value_or(resident);
  const Bytes wanted{static_cast<std::int64_t>(resident) * full.work_group[Pool::slm]};
  const auto found = std::lower_bound(pools.begin(), pools.end(), wanted);
  return found == pools.end() ? full.slm_pool : found->count;
}

}  // namespace

FootprintTable::FootprintTable(const DeviceSpec& device, const std::vector<Kernel>& kernels) {
  std::map<std::vector<std::int64_t>, std::size_t> known;
  kernels_.reserve(kernels.size());
  for (const Kernel& kernel : kernels) {
    OfKernel& entry = kernels_.emplace_back();
    const auto threads = static_cast<std::uint32_t>(kernel.threads_per_work_group());
    Footprint full = make_footprint(kernel, device, threads);
    full.slm_pool = pool_of(kernel, device, full);
    const auto [place, is_new] = known.emplace(words_of(full), all_.size());
    if (is_new) all_.push_back(full);
    entry.full = place->second;
    entry.has_edges = kernel.edge_groups != EdgeGroups::refused && !kernel.range.is_uniform();
    if (!entry.has_edges) continue;
    for (const std::uint64_t fewer : kernel.thread_counts()) {
      if (fewer == threads) continue;
      entry.edges.push_back(all_.size());
      all_.push_back(make_footprint(kernel, device, static_cast<std::uint32_t>(fewer)));
      all_.back().slm_pool = full.slm_pool;
    }
  }
}

const Footprint& FootprintTable::footprint_of(KernelId kernel, std::uint32_t threads) const {
  const OfKernel& entry = kernels_[index_of(kernel)];
  if (all_[entry.full].threads == threads) return all_[entry.full];
  for (const std::size_t edge : entry.edges)
    if (all_[edge].threads == threads) return all_[edge];
  raise_defect("threads", __FILE__, __LINE__, "no work-group of the kernel has so many threads");
}

}  // namespace gdsim
