#include <gdsim/run/ensemble/launch_owners.hpp>

#include <gdsim/base/check.hpp>

#include <algorithm>

namespace gdsim {
namespace {

std::size_t host_launches(const Workload& workload) {
  const auto is_of_host = [](const Launch& launch) { return launch.parent() == nullptr; };
  return static_cast<std::size_t>(std::count_if(workload.launches.begin(), workload.launches.end(), is_of_host));
}

/// Returns, by launch of the host, true if the host waits for this launch before it submits another.
std::vector<bool> awaited_by_host(const Workload& workload, std::size_t count) {
  std::vector<bool> is_awaited(count, false);
  for (const Launch& launch : workload.launches)
    for (const LaunchId before : launch.host_waits) is_awaited[index_of(before)] = true;
  return is_awaited;
}

}  // namespace

LaunchOwners::LaunchOwners(std::span<const CompiledParts* const> devices) {
  const std::size_t count = devices.empty() ? 0 : host_launches(*devices.front()->workload);
  constexpr std::uint32_t none = 0xFFFF'FFFF;
  owners_.resize(count, none);
  waiting_.resize(count);
  for (std::uint32_t device = 0; device < devices.size(); ++device) {
    const Workload& workload = *devices[device]->workload;
    GDSIM_CHECK(host_launches(workload) == count, "devices of one run have different numbers of launches");
    for (std::size_t i = 0; i < count; ++i) {
      if (workload.launches[i].is_remote()) continue;
      GDSIM_CHECK(owners_[i] == none, "a launch is of two devices");
      owners_[i] = device;
    }
  }
  GDSIM_CHECK(std::find(owners_.begin(), owners_.end(), none) == owners_.end(), "a launch is of no device");
  for (std::uint32_t device = 0; device < devices.size(); ++device) {
    const CompiledParts& parts = *devices[device];
    const std::vector<bool> is_awaited = awaited_by_host(*parts.workload, count);
    for (std::size_t i = 0; i < count; ++i) {
      const auto successors = parts.graph.successors[i];
      const bool is_waited_for = std::any_of(successors.begin(), successors.end(), [&](LaunchId next) {
        return !parts.workload->launches[index_of(next)].is_remote();
      });
      if (owners_[i] != device && (is_awaited[i] || is_waited_for)) waiting_[i].push_back(device);
    }
  }
}

}  // namespace gdsim
