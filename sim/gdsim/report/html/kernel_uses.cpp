#include <gdsim/report/html/kernel_uses.hpp>

#include <algorithm>
#include <map>
#include <utility>

namespace gdsim {

std::string kernel_text(const LaunchRow& launch) {
  if (launch.is_remote) return "launches of other devices";
  if (!launch.is_copy) return launch.kernel;
  return launch.kernel.ends_with("to the host") ? "copies to the host" : "copies to the device";
}

KernelUses kernel_uses(const RunView& view) {
  KernelUses uses;
  std::map<std::pair<bool, std::string>, std::size_t> known;  // a kernel may have the name of a copy direction
  for (std::size_t i = 0; i < view.launches.size(); ++i) {
    const LaunchRow& launch = view.launches[i];
    const auto [found, is_new] = known.try_emplace({launch.is_copy, kernel_text(launch)}, uses.kernels.size());
    if (is_new) uses.kernels.push_back({found->first.second, launch.is_copy, 0, 0, 0, 0, {}, false});
    uses.kernel_of.push_back(found->second);
    KernelUse& kernel = uses.kernels[found->second];
    kernel.is_remote = launch.is_remote;
    if (launch.is_remote) continue;
    ++kernel.launches;
    kernel.work_groups = std::max(kernel.work_groups, view.record.launches[i].work_groups_dispatched);
    const auto duration = view.record.launches[i].duration();
    if (!duration) continue;
    ++kernel.ended;
    kernel.sum += static_cast<UInt128>(duration->count);
    kernel.longest = std::max(kernel.longest, *duration);
  }
  return uses;
}

}  // namespace gdsim
