#include <gdsim/device/core_resources.hpp>

#include <algorithm>

namespace gdsim {

std::string_view name_of(Resource resource) {
  switch (resource) {
    case Resource::threads: return "threads";
    case Resource::work_group_slots: return "work_group_slots";
    case Resource::slm: return "slm";
    case Resource::barriers: return "barriers";
    case Resource::registers: return "registers";
    case Resource::scalar_registers: return "scalar_registers";
  }
  return {};
}

std::uint64_t ResourceLimits::work_groups_per_core() const {
  std::optional<std::uint64_t> least;
  for (const std::optional<std::uint64_t>& limit : work_groups)
    if (limit) least = std::min(*limit, least.value_or(*limit));
  return least.value_or(0);
}

std::vector<Resource> ResourceLimits::limiters() const {
  std::vector<Resource> limiters;
  const std::uint64_t count = work_groups_per_core();
  for (std::size_t i = 0; i < work_groups.size(); ++i)
    if (work_groups[i] == count) limiters.push_back(static_cast<Resource>(i));
  return limiters;
}

}  // namespace gdsim
