#include <gdsim/import/profiles/scenario/device_overrides.hpp>

#include <gdsim/device/core_blocks.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace gdsim {
namespace {

constexpr Int128 kPicoseconds = kPicosecondsPerSecond;

Duration resolved(const StepTime& time, const DeviceSpec& device) {
  return resolve(time, device.clock.value_or(Hertz{}), Decimal::whole(1)).value_or(Duration{});
}

StepTime step_time(Duration span) {
  return {Decimal::whole(static_cast<std::uint64_t>(span.count)), StepTime::Unit::picoseconds};
}

/// Returns the maximum number of simultaneous copies of a direction, as far as their times are known; at least one.
std::uint32_t copies_at_once(const Profile& profile, ProfiledWork direction) {
  std::vector<std::pair<Int128, int>> changes;  // an end precedes a begin of the same time
  for (const ProfiledLaunch& launch : profile.launches) {
    if (launch.work != direction || !launch.start || launch.duration.value_or(0) == 0) continue;
    changes.emplace_back(*launch.start, 1);
    changes.emplace_back(*launch.start + *launch.duration, -1);
  }
  std::sort(changes.begin(), changes.end());
  std::int64_t most = 1;
  std::int64_t now = 0;
  for (const auto& [time, change] : changes) most = std::max(most, now += change);
  constexpr std::int64_t most_engines = 64;
  return static_cast<std::uint32_t>(std::min(most, most_engines));
}

bool is_between_host_and_device(const ProfiledLaunch& launch) {
  return launch.work == ProfiledWork::host_to_device || launch.work == ProfiledWork::device_to_host;
}

/// The highest bandwidth among copies so large that latency does not matter, rounded up; 0: there are none.
BytesPerSecond highest_bandwidth(const Profile& profile) {
  constexpr std::uint64_t large = 64 * 1024;
  Int128 most = 0;
  for (const ProfiledLaunch& launch : profile.launches)
    if (is_between_host_and_device(launch) && *launch.bytes >= large && launch.duration.value_or(0) > 0)
      most = std::max(most, Int128{*launch.bytes} * kPicoseconds / Int128{*launch.duration} + 1);
  return {static_cast<std::int64_t>(std::min<Int128>(most, Int128{1} << 60))};
}

}  // namespace

void drop_host_times(const Profile& profile, DeviceSpec& device, std::vector<DeviceOverride>& overrides) {
  const auto drop = [&](const char* key, Duration& time) {
    if (time == Duration{}) return;
    overrides.push_back(
        {key, "0 ns", fmt::format("{} of the model lies before the starts, which are as measured", to_text(time))});
    time = Duration{};
  };
  drop("submit_overhead", device.submit_overhead);
  drop("launch_latency", device.launch_latency);
  drop("dependency_gap", device.dependency_gap);
  if (!device.hardware_queues || !device.hardware_queues->count) return;
  std::set<std::uint32_t> queues;
  for (const ProfiledLaunch& launch : profile.launches) queues.insert(launch.queue);
  if (queues.size() <= *device.hardware_queues->count) return;
  overrides.push_back({"hardware_queues", "{starts: any_order}",
                       "what hardware queues held up lies before the starts, which are as measured"});
  device.hardware_queues.reset();
}

void fit_copies(const Profile& profile, DeviceSpec& device, std::vector<DeviceOverride>& overrides) {
  if (std::none_of(profile.launches.begin(), profile.launches.end(), is_between_host_and_device)) return;
  constexpr BytesPerSecond assumed{16'000'000'000};
  const BytesPerSecond measured = highest_bandwidth(profile);
  // Engines serve both directions alternately.
  const std::uint32_t at_once = std::max(copies_at_once(profile, ProfiledWork::host_to_device),
                                         copies_at_once(profile, ProfiledWork::device_to_host));
  CopyRule rule = device.copy.value_or(CopyRule{2, assumed, Duration{}});
  const bool has_few = rule.engines < 2 * at_once;
  if (device.copy && !has_few && measured.count == 0) return;
  std::string why = device.copy ? "the model's bandwidth" : "no copy of the file says a bandwidth: it is assumed";
  if (measured.count > 0) {
    rule = {rule.engines, measured, Duration{}};
    why = "the highest bandwidth of a copy of the file of at least 64 KiB";
  }
  if (has_few) {
    rule.engines = 2 * at_once;
    why += "; engines for as many copies of a direction as the file has at once";
  }
  const std::string latency = rule.latency == Duration{} ? "" : ", latency: " + to_text(rule.latency);
  overrides.push_back(
      {"copy", fmt::format("{{engines: {}, bandwidth: {}{}}}", rule.engines, to_text(rule.bandwidth), latency), why});
  device.copy = rule;
}

Duration launch_cost_of(const DeviceSpec& device) {
  if (!device.launch_cost) return {};
  return resolved(device.launch_cost->serial, device) + resolved(device.launch_cost->overlapping, device);
}

Duration recovery_of(const DeviceSpec& device) {
  return device.dispatch.recovery ? resolved(*device.dispatch.recovery, device) : Duration{};
}

bool has_equal_groups(const DeviceSpec& device) {
  std::map<std::string, std::size_t> sizes;
  const std::vector<CoreGroup> groups = all_core_groups(device);
  return std::all_of(groups.begin(), groups.end(), [&](const CoreGroup& group) {
    return sizes.emplace(group.level, group.cores()).first->second == group.cores();
  });
}

void lower_launch_cost(DeviceSpec& device, Duration most, const std::string& why,
                       std::vector<DeviceOverride>& overrides) {
  const Duration before = launch_cost_of(device);
  if (before <= most) return;
  const auto part = [&](const StepTime& time) {
    return Duration{static_cast<std::int64_t>(Int128{resolved(time, device).count} * most.count / before.count)};
  };
  const Duration serial = part(device.launch_cost->serial);
  const Duration overlapping = part(device.launch_cost->overlapping);
  device.launch_cost = LaunchCost{step_time(serial), step_time(overlapping)};
  overrides.push_back(
      {"launch_cost", fmt::format("{{serial: {}, overlapping: {}}}", to_text(serial), to_text(overlapping)), why});
}

}  // namespace gdsim
