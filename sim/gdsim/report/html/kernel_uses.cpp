#include <gdsim/report/html/kernel_uses.hpp>

#include <algorithm>
#include <string_view>
#include <unordered_map>

namespace gdsim {

KernelUses kernel_uses(const RunView& view) {
  KernelUses uses;
  std::unordered_map<std::string_view, std::size_t> known;
  for (std::size_t i = 0; i < view.launches.size(); ++i) {
    const LaunchRow& launch = view.launches[i];
    const auto [found, is_new] = known.try_emplace(launch.kernel, uses.kernels.size());
    if (is_new) uses.kernels.push_back({launch.kernel, launch.is_copy, 0, 0, 0, {}});
    uses.kernel_of.push_back(found->second);
    KernelUse& kernel = uses.kernels[found->second];
    ++kernel.launches;
    const auto duration = view.record.launches[i].duration();
    if (!duration) continue;
    ++kernel.ended;
    kernel.sum += static_cast<UInt128>(duration->count);
    kernel.longest = std::max(kernel.longest, *duration);
  }
  return uses;
}

}  // namespace gdsim
