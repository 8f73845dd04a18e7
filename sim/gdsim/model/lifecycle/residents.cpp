#include <gdsim/model/lifecycle/residents.hpp>

#include <algorithm>
#include <tuple>

namespace gdsim {

GroupIndex Residents::open(const Grant& grant, KernelId kernel, Bytes slm) {
  ResidentGroup opened;
  opened.launch = grant.launch;
  opened.kernel = kernel;
  opened.number = grant.work_group;
  opened.core = grant.core;
  opened.threads = grant.group_threads;
  opened.first_context = grant.first_context;
  opened.slm = slm;
  const GroupIndex index = groups_.add(opened);
  filling_[index_of(grant.core)] = index;
  return index;
}

void Residents::add_core(const Grant& grant) {
  const GroupIndex group = filling(grant.first_core);
  const auto index = static_cast<std::size_t>(group);
  if (more_cores_.size() <= index) more_cores_.resize(index + 1);
  more_cores_[index].push_back(grant.core);
  filling_[index_of(grant.core)] = group;
}

void Residents::close(GroupIndex index) {
  groups_[index].threads = 0;
  if (const auto i = static_cast<std::size_t>(index); i < more_cores_.size()) more_cores_[i].clear();
  groups_.remove(index);
}

std::span<const CoreId> Residents::more_cores(GroupIndex group) const {
  const auto index = static_cast<std::size_t>(group);
  return index < more_cores_.size() ? std::span<const CoreId>(more_cores_[index]) : std::span<const CoreId>();
}

std::vector<GroupIndex> Residents::in_order() const {
  std::vector<GroupIndex> resident;
  std::uint32_t index = 0;
  for (const ResidentGroup& group : groups_) {
    if (group.threads > 0) resident.push_back(GroupIndex{index});
    ++index;
  }
  std::sort(resident.begin(), resident.end(), [this](GroupIndex a, GroupIndex b) {
    return std::tie(groups_[a].launch, groups_[a].number) < std::tie(groups_[b].launch, groups_[b].number);
  });
  return resident;
}

}  // namespace gdsim
