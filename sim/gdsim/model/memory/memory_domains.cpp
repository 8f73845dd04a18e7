#include <gdsim/model/memory/memory_domains.hpp>

#include <gdsim/base/check.hpp>
#include <gdsim/device/core_blocks.hpp>

#include <map>

namespace gdsim {

MemoryDomains::MemoryDomains(const DeviceSpec& device) {
  const std::vector<MemoryLevel>& levels = device.memory->levels;
  std::vector<std::vector<std::uint32_t>> by_core(device.cores, std::vector<std::uint32_t>(levels.size(), 0));
  for (std::size_t level = 0; level < levels.size(); ++level) {
    const auto groups = core_blocks(device, levels[level].scope);
    GDSIM_CHECK(groups.has_value(), "a level of no known scope passed the checks of the device");
    for (std::uint32_t copy = 0; copy < groups->size(); ++copy)
      for (std::size_t core = (*groups)[copy].first; core < (*groups)[copy].last; ++core) by_core[core][level] = copy;
    are_device_wide_ = are_device_wide_ && levels[level].scope == "device";
    copies_.push_back(static_cast<std::uint32_t>(groups->size()));
    first_working_set_.push_back(working_sets_);
    if (groups->size() > 1) working_sets_ += groups->size();
  }
  std::map<std::vector<std::uint32_t>, std::uint32_t> known;
  for (const std::vector<std::uint32_t>& copies : by_core) {
    const auto [entry, is_new] = known.emplace(copies, count());
    if (is_new) copies_of_.push_back(copies);
    domain_of_core_.push_back(entry->second);
  }
  if (count() == 1) domain_of_core_.clear();
  for (std::uint32_t domain = 0; domain < count(); ++domain) {
    auto& own = working_sets_of_.emplace_back(std::vector<std::size_t>{0});
    for (std::size_t level = 0; level < levels.size(); ++level)
      if (working_set_index(level, domain) != 0) own.push_back(working_set_index(level, domain));
  }
}

}  // namespace gdsim
