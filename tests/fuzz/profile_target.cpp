#include <gdsim/base/diagnostic.hpp>
#include <gdsim/import/profiles/profile.hpp>
#include <gdsim/import/profiles/scenario/launch_selection.hpp>
#include <gdsim/import/profiles/scenario/profile_plan.hpp>
#include <gdsim/yaml/yaml_node.hpp>
#include "fuzz_targets.hpp"
#include "require.hpp"
#include "support/string_sink.hpp"

namespace gdsim::fuzz {
namespace {

constexpr std::size_t kMaxLaunchesPlanned = 64;
constexpr std::uint64_t kMaxGroupsPlanned = 1'000;               ///< of a launch
constexpr std::int64_t kMaxDurationPlanned = 1'000'000'000'000;  ///< picoseconds: a second

/// A device of which every launch may be, whatever its vendor.
DeviceSpec any_device() {
  DeviceSpec device;
  device.id = "any";
  device.cores = 4;
  device.engines_per_core = 4;
  device.contexts_per_engine = 16;
  device.sub_group_sizes = {8, 16, 32, 64};
  device.max_work_group_size = 1'024;
  device.dispatch.placement = "fill_first";
  return device;
}

/// What is written is YAML, whatever the names in the file.
void write_scenario(Profile profile, Merging merging) {
  std::erase_if(profile.launches, [](const ProfiledLaunch& launch) {
    const auto groups = volume(launch.grid);
    return !groups || *groups > kMaxGroupsPlanned || launch.count > kMaxLaunchesPlanned ||
           launch.duration.value_or(0) > kMaxDurationPlanned;
  });
  if (profile.launches.size() > kMaxLaunchesPlanned) profile.launches.resize(kMaxLaunchesPlanned);
  const ProfiledTimes times = choose_launches(profile, main_device(profile), {});
  DeviceSpec device = any_device();
  ProfilePlan plan = plan_profile(profile, device, times, merging);
  plan.title = profile.file;
  testing::StringSink sink;
  write_profile_scenario(profile, plan, {"any", {}, {}}, sink);
  Diagnostics unreadable;
  const SourceText written("written.yaml", sink.text);
  require(read_yaml(written, unreadable) && unreadable.empty(), "a scenario of a profile is no YAML");
}

}  // namespace

void profile(std::string_view input) {
  try {
    const ProfileInput file("fuzz.bin", input);
    if (!is_profile(file)) return;
    const Profile read = read_profile(file);
    for (const Merging merging : {Merging::close, Merging::by_shape}) {
      try {
        write_scenario(read, merging);
      } catch (const InputError&) {
      }
    }
  } catch (const InputError&) {
  }
}

}  // namespace gdsim::fuzz
