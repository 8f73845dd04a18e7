#include <gdsim/import/profiles/scenario/shape_kernel.hpp>

#include <algorithm>

namespace gdsim {

Kernel shape_kernel(const ProfiledLaunch& launch, std::uint32_t sub_group) {
  Kernel kernel;
  for (std::size_t d = 0; d < launch.grid.size(); ++d) {
    const std::size_t last_runs_fastest = launch.grid.size() - 1 - d;
    kernel.range.local[last_runs_fastest] = launch.block[d];
    kernel.range.global[last_runs_fastest] = launch.grid[d] * launch.block[d];
  }
  kernel.sub_group = launch.sub_group.value_or(sub_group);
  kernel.needs.slm.total =
      Bytes{static_cast<std::int64_t>(launch.static_slm.value_or(0) + launch.dynamic_slm.value_or(0))};
  kernel.needs.registers = launch.registers.value_or(0);
  kernel.needs.accumulation_registers = launch.accumulation_registers.value_or(0);
  kernel.needs.scalar_registers = launch.scalar_registers.value_or(0);
  if (launch.large_grf) kernel.needs.grf = GrfMode::large;
  if (launch.cluster > 1) kernel.cluster = {launch.cluster};
  return kernel;
}

std::uint32_t usual_sub_group(const DeviceSpec& device) {
  const auto& sizes = device.sub_group_sizes;
  if (sizes.size() == 1) return sizes.front();
  const std::uint32_t wanted = device.vendor == "intel" ? 16 : 32;
  if (std::find(sizes.begin(), sizes.end(), wanted) != sizes.end()) return wanted;
  return sizes.empty() ? 1 : sizes.back();
}

}  // namespace gdsim
