#include <gdsim/analysis/core_group_sums.hpp>

#include <algorithm>

namespace gdsim {

CoreGroupSums::CoreGroupSums(std::size_t cores, std::span<const CoreGroup> groups)
    : groups_of_(cores), now_(cores), sums_(groups.size()), is_changed_(groups.size()) {
  for (std::size_t group = 0; group < groups.size(); ++group)
    for (std::size_t core = groups[group].first; core < groups[group].last; ++core) groups_of_[core].push_back(group);
}

void CoreGroupSums::change(const CorePoint& point) {
  CoreResidency& before = now_[index_of(point.core)];
  const CoreResidency& after = point.resident;
  for (const std::size_t group : groups_of_[index_of(point.core)]) {
    CoreGroupSum& sum = sums_[group];
    sum.threads += after.threads - std::uint64_t{before.threads};
    sum.running += after.running - std::uint64_t{before.running};
    sum.work_groups += after.work_groups - std::uint64_t{before.work_groups};
    sum.slm.count += after.slm.count - before.slm.count;
    if (!is_changed_[group]) changed_.push_back(group);
    is_changed_[group] = true;
  }
  before = after;
}

std::vector<std::size_t> CoreGroupSums::take_changed() {
  std::vector<std::size_t> changed = std::exchange(changed_, {});
  for (const std::size_t group : changed) is_changed_[group] = false;
  std::sort(changed.begin(), changed.end());
  return changed;
}

}  // namespace gdsim
