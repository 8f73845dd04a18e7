#include <gdsim/workload/workload.hpp>

#include <gdsim/workload/kernel.hpp>

#include <algorithm>
#include <cstddef>
#include <limits>

namespace gdsim {

const Kernel& Workload::no_kernel() {
  static const Kernel kernel = [] {
    Kernel nothing;
    nothing.range.global = {0, 1, 1};
    nothing.sub_group = 1;
    return nothing;
  }();
  return kernel;
}

const CoreSelection& Workload::cores_of(const Launch& launch) const {
  static const CoreSelection whole_device;
  if (!launch.is_kernel()) return whole_device;
  const CoreSelection& cores = launch.as_kernel().cores;
  const Queue* queue = queue_of(launch);
  return cores.empty() && queue != nullptr ? queue->cores : cores;
}

std::uint32_t Workload::priority_of(const Launch& launch) const {
  const Queue* queue = queue_of(launch);
  const std::uint32_t of_queue = queue != nullptr ? queue->priority : 0;
  return launch.is_kernel() ? launch.as_kernel().priority.value_or(of_queue) : of_queue;
}

CoreSelection normalized(CoreSelection selection) {
  std::sort(selection.begin(), selection.end());
  CoreSelection merged;
  for (const CoreRange& range : selection) {
    if (!merged.empty() && index_of(range.first) <= index_of(merged.back().last) + 1) {
      merged.back().last = std::max(merged.back().last, range.last);
    } else {
      merged.push_back(range);
    }
  }
  return merged;
}

bool lies_within(const CoreSelection& inner, const CoreSelection& outer) {
  if (outer.empty()) return true;
  if (inner.empty()) return false;
  return std::all_of(inner.begin(), inner.end(), [&](const CoreRange& range) {
    return std::any_of(outer.begin(), outer.end(),
                       [&](const CoreRange& o) { return o.first <= range.first && range.last <= o.last; });
  });
}

namespace {

std::uint64_t divide_up(std::uint64_t amount, std::uint64_t by) { return amount / by + (amount % by != 0 ? 1 : 0); }

/// Work-groups of equal size.
struct EqualGroups {
  std::uint64_t count = 1;
  std::uint64_t size = 1;  ///< work-items of each
};

/// Each dimension has full work-groups and perhaps one smaller work-group at the edge: at most eight kinds in all.
std::vector<EqualGroups> kinds_of(const NdRange& range) {
  std::vector<EqualGroups> kinds;
  for (unsigned edges = 0; edges < 8; ++edges) {
    EqualGroups kind;
    for (std::size_t d = 0; d < range.global.size(); ++d) {
      const bool at_edge = (edges >> d & 1U) != 0;
      const std::uint64_t remainder = range.global[d] % range.local[d];
      kind.count *= at_edge ? (remainder != 0 ? 1 : 0) : range.global[d] / range.local[d];
      kind.size *= at_edge ? remainder : range.local[d];
    }
    if (kind.count > 0) kinds.push_back(kind);
  }
  return kinds;
}

/// Returns the product, or 2^64 - 1 if it is more.
std::uint64_t product_of(const std::vector<std::uint64_t>& counts) {
  std::uint64_t product = 1;
  for (const std::uint64_t count : counts)
    if (__builtin_mul_overflow(product, count, &product)) return std::numeric_limits<std::uint64_t>::max();
  return product;
}

}  // namespace

std::uint64_t Kernel::cluster_size() const { return product_of(cluster); }

std::uint64_t Kernel::preferred_cluster_size() const {
  return product_of(preferred_cluster.empty() ? cluster : preferred_cluster);
}

std::uint64_t Kernel::threads_per_work_group() const { return divide_up(range.group_size(), sub_group); }

std::uint64_t Kernel::threads_of(WorkGroupId group) const { return divide_up(range.group_size(group), sub_group); }

std::vector<std::uint64_t> Kernel::thread_counts() const {
  std::vector<std::uint64_t> counts;
  for (const EqualGroups& kind : kinds_of(range)) {
    const std::uint64_t threads = divide_up(kind.size, sub_group);
    if (std::find(counts.begin(), counts.end(), threads) == counts.end()) counts.push_back(threads);
  }
  return counts;
}

bool Kernel::is_free_running() const {
  return !has_barrier(program) && !has_step<Signal>(program) && !has_step<Wait>(program) &&
         !has_step<LaunchChild>(program);
}

bool Kernel::shares_resources() const {
  return has_step<IssueSlots>(program) || has_step<Memory>(program) || has_step<Slm>(program) ||
         has_step<Atomic>(program);
}

Draw default_draw() { return {Distribution::uniform, Decimal{5, -3}, DrawPer::work_group, 0, DrawOrigin::by_default}; }

std::optional<Draw> draw_in_force(const Kernel& kernel) {
  if (kernel.variation.draw) return kernel.variation.draw;
  if (kernel.variation.is_lock_step || !kernel.shares_resources()) return std::nullopt;
  Draw draw = default_draw();
  draw.only_lengthens = has_instructions_by_kind(kernel.program);
  return draw;
}

std::uint64_t Kernel::threads_total() const {
  std::uint64_t total = 0;
  for (const EqualGroups& kind : kinds_of(range)) total += kind.count * divide_up(kind.size, sub_group);
  return total;
}

Extent extent_of(std::span<const std::uint64_t> sizes) {
  Extent extent{1, 1, 1};
  const std::size_t count = std::min(sizes.size(), extent.size());
  std::copy_n(sizes.begin(), count, extent.end() - static_cast<std::ptrdiff_t>(count));
  return extent;
}

std::optional<std::uint64_t> volume(const Extent& extent) {
  std::uint64_t product = 1;
  for (const std::uint64_t size : extent)
    if (__builtin_mul_overflow(product, size, &product)) return std::nullopt;
  return product;
}

bool NdRange::is_countable() const { return volume(global) && volume(local); }

Extent NdRange::groups() const {
  Extent count{};
  for (std::size_t d = 0; d < count.size(); ++d) count[d] = global[d] / local[d] + (global[d] % local[d] != 0 ? 1 : 0);
  return count;
}

std::uint64_t NdRange::group_count() const {
  const Extent count = groups();
  return count[0] * count[1] * count[2];
}

std::uint64_t NdRange::group_size() const { return local[0] * local[1] * local[2]; }

std::uint64_t NdRange::group_size(WorkGroupId group) const {
  const Extent count = groups();
  std::uint64_t rest = number_of(group);
  std::uint64_t size = 1;
  for (std::size_t d = count.size(); d-- > 0;) {
    const std::uint64_t first = rest % count[d] * local[d];
    size *= std::min(local[d], global[d] - first);
    rest /= count[d];
  }
  return size;
}

bool NdRange::is_uniform() const {
  for (std::size_t d = 0; d < global.size(); ++d)
    if (global[d] % local[d] != 0) return false;
  return true;
}

}  // namespace gdsim
