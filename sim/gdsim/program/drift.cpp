#include <gdsim/program/drift.hpp>

#include <algorithm>
#include <optional>

namespace gdsim {
namespace {

/// Minimum number of threads of a part. Of smaller work-groups, several are resident, and drift apart as wholes.
constexpr std::uint64_t kMinThreads = 4;

}  // namespace

std::vector<std::uint32_t> drift_parts(const Kernel& kernel) {
  const std::optional<Draw> draw = draw_in_force(kernel);
  if (!draw || !kernel.shares_resources() || !kernel.is_free_running()) return {0};
  const std::uint64_t threads = kernel.threads_per_work_group();
  const std::uint64_t max = draw->origin == DrawOrigin::by_default ? 8 : 2;
  const std::uint64_t parts = std::clamp<std::uint64_t>(threads / kMinThreads, 1, max);
  std::vector<std::uint32_t> first;
  for (std::uint64_t part = 0; part < parts; ++part)
    first.push_back(static_cast<std::uint32_t>((part * threads + parts - 1) / parts));
  return first;
}

}  // namespace gdsim
