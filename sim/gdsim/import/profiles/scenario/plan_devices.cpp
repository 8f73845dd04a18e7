#include <gdsim/import/profiles/scenario/plan_devices.hpp>

#include <gdsim/base/text.hpp>

#include <fmt/format.h>

#include <array>
#include <map>
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
    if (!devices.link.empty()) launch.collective = collective_of(profile, row);
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
        counted(measured, "collective"), devices.link.empty() ? ", without --link," : " of unknown bytes or kind"));
}

}  // namespace gdsim
