#include <gdsim/import/profiles/scenario/plan_devices.hpp>

#include <gdsim/base/text.hpp>
#include <gdsim/device/core_blocks.hpp>
#include <gdsim/fit/limits.hpp>
#include <gdsim/occupancy/occupancy.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace gdsim {
namespace {

/// The kinds that the simulator supports, by the names of NCCL and of scenarios.
constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kCollectives{
    {{"AllReduce", "all_reduce"},
     {"AllGather", "all_gather"},
     {"ReduceScatter", "reduce_scatter"},
     {"Broadcast", "broadcast"}}};

/// Returns the algorithm in the kernel's name if the simulator has it for this kind, else a ring.
std::string_view algorithm_of(std::string_view kernel, std::string_view kind) {
  if (kind == "broadcast") return "tree";
  return kind == "all_reduce" && kernel.find("TREE") != std::string_view::npos ? "tree" : "ring";
}

std::optional<PlannedCollective> collective_of(const Profile& profile, const ProfiledLaunch& launch) {
  const std::string& kernel = profile.texts[launch.name];
  const auto named = collective_named(kernel);
  if (!named || !launch.bytes || *launch.bytes == 0) return std::nullopt;
  for (const auto& [theirs, ours] : kCollectives)
    if (*named == theirs)
      return PlannedCollective{std::string(ours), std::string(algorithm_of(kernel, ours)),
                               Bytes{static_cast<std::int64_t>(*launch.bytes)}};
  return std::nullopt;
}

/// Notes `1 collective was measured among 8 devices ...` if the numbers of devices differ.
void note_groups(const std::map<std::uint32_t, std::uint64_t>& collectives_of_group, std::uint64_t devices,
                 std::vector<std::string>& notes) {
  for (const auto& [group, count] : collectives_of_group)
    if (group != 0 && group != devices)
      notes.push_back(fmt::format(
          "{} {} measured among {} and {} among {} here: the bytes of the whole buffer stay as recorded, and so do "
          "measured durations",
          counted(count, "collective"), count == 1 ? "was" : "were", counted(group, "device"),
          count == 1 ? "is" : "are", devices));
}

}  // namespace

std::optional<std::string> collective_named(std::string_view kernel) {
  for (const std::string_view prefix : {"ncclDevKernel_", "ncclKernel_", "ncclDevFunc_", "rcclDevKernel_"}) {
    const std::size_t at = kernel.find(prefix);
    if (at == std::string_view::npos) continue;
    const std::string_view rest = kernel.substr(at + prefix.size());
    const std::string_view name = rest.substr(0, rest.find_first_of("_(<"));
    return name == "Generic" ? std::string() : std::string(name);
  }
  if (kernel.find("rccl_main_kernel") != std::string_view::npos || kernel.find("mscclKernel") != std::string_view::npos)
    return std::string();
  return std::nullopt;
}

void plan_devices(const Profile& profile, const PlannedDevices& devices, ProfilePlan& plan) {
  plan.devices = devices;
  std::uint64_t exchanging = 0;
  std::uint64_t measured = 0;
  std::map<std::uint32_t, std::uint64_t> collectives_of_group;
  for (PlannedLaunch& launch : plan.launches) {
    const ProfiledLaunch& row = profile.launches[launch.row];
    if (row.work != ProfiledWork::kernel || !collective_named(profile.texts[row.name])) continue;
    if (devices.link) launch.collective = collective_of(profile, row);
    ++(launch.collective ? exchanging : measured);
    ++collectives_of_group[row.group];
  }
  plan.notes.push_back(fmt::format("each of {} devices does what was measured on one", devices.count));
  note_groups(collectives_of_group, devices.count, plan.notes);
  if (exchanging > 0)
    plan.notes.push_back(
        fmt::format("{} of known bytes exchange over `links`; how long is simulated, and no time of a launch is "
                    "expected. Launches keep "
                    "their measured starts: write `after` where one needs what a collective gives",
                    counted(exchanging, "collective")));
  if (measured > 0)
    plan.notes.push_back(fmt::format(
        "{}{} are kernels of measured duration, which end together because all devices do the same",
        counted(measured, "collective"), !devices.link ? ", without --link," : " of unknown bytes or kind"));
}

namespace {

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
      most = std::max(most, Int128{*launch.bytes} * kPicosecondsPerSecond / Int128{*launch.duration} + 1);
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

namespace {

std::string clusters_note(std::uint32_t active, const Occupancy& occupancy, const DeviceSpec& device) {
  if (!occupancy.active_clusters || *occupancy.active_clusters == active) return "";
  const std::string note = fmt::format("the driver counts {} at once (maxActiveClusters), the model of {} {}",
                                       counted(active, "cluster"), device.id, *occupancy.active_clusters);
  const auto assumed = assumed_groups_note(device);
  return assumed ? note + ". " + *assumed : note;
}

std::string slm_note(std::uint32_t bytes, const Occupancy& occupancy, const DeviceSpec& device) {
  const Bytes set{bytes};
  const std::string driver_text = fmt::format(
      "the driver set {} of each {} aside as shared memory (sharedMemoryExecuted)", to_text(set), device.terms.core);
  const auto& pools = device.slm.pools;
  if (std::find(pools.begin(), pools.end(), set) == pools.end())
    return driver_text + ", to which the model of " + device.id + " does not set it";
  const Bytes one = occupancy.allocated_slm;
  if (one > set)
    return fmt::format("{}, in which no {} of {} fits: it is not used", driver_text, device.terms.work_group,
                       to_text(one));
  const std::uint64_t fitting =
      one.count == 0 ? occupancy.work_groups_per_core : static_cast<std::uint64_t>(set.count / one.count);
  if (fitting >= occupancy.work_groups_per_core) return "";
  return fmt::format(
      "{}, in which {} fit; the model holds {}. `carveout_percent: {}` of the kernel says it in the "
      "scenario",
      driver_text, counted(fitting, device.terms.work_group), occupancy.work_groups_per_core,
      set.count * 100 / device.slm.per_core.count);
}

}  // namespace

void DriverFigures::add(const ProfiledLaunch& launch) {
  if (launch.active_clusters > 0) active_clusters.insert(launch.active_clusters);
  if (launch.slm_of_core > 0) slm_of_core.insert(launch.slm_of_core);
}

std::vector<std::string> driver_notes(const DriverFigures& figures, const Kernel& kernel, const DeviceSpec& device) {
  std::vector<std::string> notes;
  if (figures.active_clusters.empty() && figures.slm_of_core.empty()) return notes;
  const Occupancy occupancy = occupancy_of(kernel, device, GlobalSize::any);
  const auto add = [&](std::string note) {
    if (!note.empty()) notes.push_back(std::move(note));
  };
  for (const std::uint32_t active : figures.active_clusters) add(clusters_note(active, occupancy, device));
  if (device.slm.pools.empty()) return notes;
  for (const std::uint32_t bytes : figures.slm_of_core) add(slm_note(bytes, occupancy, device));
  return notes;
}

}  // namespace gdsim
