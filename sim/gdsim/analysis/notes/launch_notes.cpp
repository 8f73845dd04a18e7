#include <gdsim/analysis/notes/launch_notes.hpp>

#include <gdsim/base/text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace gdsim {
namespace {

/// Returns the maximum number of children that were launched and had not begun, at once.
std::uint64_t most_pending(const Workload& workload, const RunRecord& record) {
  std::vector<std::pair<SimTime, int>> changes;  // at one time, launches begin before others are added
  for (std::size_t i = 0; i < workload.launches.size() && i < record.launches.size(); ++i) {
    const LaunchRecord& launch = record.launches[i];
    if (workload.launches[i].parent() == nullptr || !launch.submitted) continue;
    const auto begun = launch.begun ? launch.begun : launch.first_dispatched;
    if (begun == launch.submitted) continue;
    changes.emplace_back(*launch.submitted, 1);
    if (begun) changes.emplace_back(*begun, -1);
  }
  std::sort(changes.begin(), changes.end());
  std::int64_t most = 0;
  std::int64_t now = 0;
  for (const auto& [time, change] : changes) most = std::max(most, now += change);
  return static_cast<std::uint64_t>(most);
}

}  // namespace

std::optional<std::string> slm_pool_note(const DeviceSpec& device, const Workload& workload, const RunRecord& record) {
  std::optional<std::size_t> longest;
  const auto waited = [&](std::size_t i) { return record.launches[i].waited[WaitReason::slm_pool]; };
  for (std::size_t i = 0; i < workload.launches.size() && i < record.launches.size(); ++i)
    if (waited(i).count > 0 && (!longest || waited(i) > waited(*longest))) longest = i;
  if (!longest) return std::nullopt;
  return fmt::format(
      "{} waited {} for {}s to drain, because their {} was set to another size for other kernels "
      "(`slm_reconfiguration: drains_core`): with the same `carveout_percent`, kernels share {}s.",
      printable(workload.launches[*longest].name), to_rounded_text(waited(*longest)), device.terms.core,
      device.terms.slm, device.terms.core);
}

std::optional<std::string> pending_launches_note(const DeviceSpec& device, const Workload& workload,
                                                 const RunRecord& record) {
  if (device.vendor != "nvidia") return std::nullopt;
  const std::uint64_t pending = most_pending(workload, record);
  if (pending <= kPendingLaunchesOfCuda) return std::nullopt;
  return fmt::format(
      "{} launches from the device were pending at once. CUDA keeps {} by default "
      "(cudaLimitDevRuntimePendingLaunchCount); further ones fail, or take longer than here.",
      pending, kPendingLaunchesOfCuda);
}

}  // namespace gdsim
