#include <gdsim/workload/kernel.hpp>

#include <algorithm>
#include <cstddef>

namespace gdsim {

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
