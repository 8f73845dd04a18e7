#include <gdsim/fit/footprint_table.hpp>

#include <gdsim/base/check.hpp>
#include <gdsim/fit/limits.hpp>

#include <algorithm>
#include <map>

namespace gdsim {
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

const Footprint& FootprintTable::of(KernelId kernel, std::uint32_t threads) const {
  const OfKernel& entry = kernels_[index_of(kernel)];
  if (all_[entry.full].threads == threads) return all_[entry.full];
  for (const std::size_t edge : entry.edges)
    if (all_[edge].threads == threads) return all_[edge];
  raise_defect("threads", __FILE__, __LINE__, "no work-group of the kernel has so many threads");
}

}  // namespace gdsim
