#include <gdsim/import/launch_plan.hpp>

#include <gdsim/base/text.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace gdsim {
namespace {

constexpr std::uint64_t kReserve = 1024;
constexpr std::uint32_t kUsualGrf = 128;
constexpr std::uint32_t kLargeGrf = 256;

std::uint64_t items_of(const std::array<std::uint64_t, 3>& extent) { return extent[0] * extent[1] * extent[2]; }

std::string words_for_largest(const CompiledKernel& kernel) {
  if (kernel.required_group) {
    const auto& size = *kernel.required_group;
    return fmt::format("{}, and no other: it was compiled for {} x {} x {}", items_of(size), size[0], size[1], size[2]);
  }
  if (kernel.max_group_size) return fmt::format("{}, its launch bound", *kernel.max_group_size);
  return "the device's; the file holds no launch bound";
}

std::uint64_t block_for(const CompiledKernel& kernel, const LaunchRequest& request, Diagnostics& problems) {
  const auto largest = largest_group(kernel);
  if (!request.block)
    return kernel.required_group ? *largest : std::min(kDefaultBlock, largest.value_or(kDefaultBlock));
  const std::uint64_t block = *request.block;
  const bool is_other = kernel.required_group && block != *largest;
  if (is_other || (largest && block > *largest))
    problems.add({}, fmt::format("{}: --block {} cannot be launched; allowed: {}", printable(kernel.name), block,
                                 words_for_largest(kernel)));
  return block;
}

/// The kernel's shared local memory without the reserve, which device models add.
std::uint64_t own_slm(const CompiledKernel& kernel, const LaunchRequest& request) {
  const std::uint64_t all = kernel.static_slm.value_or(0);
  const bool includes_reserve = kernel.slm_may_hold_reserve && request.device_reserves_slm && all >= kReserve;
  return includes_reserve ? all - kReserve : all;
}

}  // namespace

std::optional<std::uint64_t> largest_group(const CompiledKernel& kernel) {
  if (kernel.required_group) return items_of(*kernel.required_group);
  return kernel.max_group_size;
}

LaunchPlan plan_launch(const CompiledKernel& kernel, const LaunchRequest& request, Diagnostics& problems) {
  LaunchPlan plan;
  plan.block = block_for(kernel, request, problems);
  plan.largest = words_for_largest(kernel);
  plan.static_slm = own_slm(kernel, request);
  plan.dynamic_slm = static_cast<std::uint64_t>(request.shared.count);
  if (!kernel.grf_count) return plan;
  plan.large_grf = *kernel.grf_count == kLargeGrf;
  if (*kernel.grf_count != kUsualGrf && *kernel.grf_count != kLargeGrf)
    problems.add({}, fmt::format("{}: its threads have {} general registers; models know {} and {}",
                                 printable(kernel.name), *kernel.grf_count, kUsualGrf, kLargeGrf));
  return plan;
}

}  // namespace gdsim
