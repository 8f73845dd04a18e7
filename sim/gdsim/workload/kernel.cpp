#include <gdsim/workload/kernel.hpp>

namespace gdsim {
namespace {

std::uint64_t divide_up(std::uint64_t amount, std::uint64_t by) { return amount / by + (amount % by != 0 ? 1 : 0); }

}  // namespace

std::uint64_t Kernel::threads_per_work_group() const { return divide_up(range.group_size(), sub_group); }

std::uint64_t Kernel::threads_of(WorkGroupId group) const { return divide_up(range.group_size(group), sub_group); }

std::uint64_t Kernel::threads_total() const {
  // Along each dimension there are full work-groups and perhaps one smaller at the edge: eight kinds in all.
  std::uint64_t total = 0;
  for (unsigned kind = 0; kind < 8; ++kind) {
    std::uint64_t count = 1;
    std::uint64_t size = 1;
    for (std::size_t d = 0; d < range.global.size(); ++d) {
      const bool at_edge = (kind >> d & 1U) != 0;
      const std::uint64_t rest = range.global[d] % range.local[d];
      count *= at_edge ? (rest != 0 ? 1 : 0) : range.global[d] / range.local[d];
      size *= at_edge ? rest : range.local[d];
    }
    if (count > 0) total += count * divide_up(size, sub_group);
  }
  return total;
}

}  // namespace gdsim
