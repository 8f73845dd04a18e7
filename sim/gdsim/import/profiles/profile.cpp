#include <gdsim/import/profiles/profile.hpp>

#include <gdsim/base/diagnostic.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace gdsim {

std::uint32_t TextPool::number(std::string_view text) {
  const auto [known, is_new] = numbers_.emplace(text, static_cast<std::uint32_t>(texts_.size()));
  if (is_new) texts_.push_back(&known->first);
  return known->second;
}

void add_launch(Profile& profile, ProfiledLaunch launch) {
  if (profile.launches.size() == kMaxProfiledLaunches)
    fail_at(profile, launch.place, fmt::format("the file has more than {} launches, the most that is read; choose some "
                                               "of them where the profile is exported",
                                               kMaxProfiledLaunches));
  profile.launches.push_back(launch);
}

void settle_grids(Profile& profile) {
  for (ProfiledLaunch& launch : profile.launches) {
    if (!launch.grid_counts_items) continue;
    launch.grid_counts_items = false;
    for (std::size_t d = 0; d < launch.grid.size(); ++d) {
      const std::uint64_t size = launch.block[d];
      launch.grid[d] = size == 0 ? 0 : launch.grid[d] / size + (launch.grid[d] % size != 0 ? 1 : 0);
    }
  }
}

const ProfiledDevice* device_of(const Profile& profile, std::string_view key) {
  for (const ProfiledDevice& device : profile.devices)
    if (device.key == key) return &device;
  return profile.devices.size() == 1 ? &profile.devices.front() : nullptr;
}

void fail_at(const Profile& profile, std::uint64_t place, const std::string& what) {
  if (profile.place_word == "line")
    throw InputError({Diagnostic{"profile", what, profile.file, static_cast<std::uint32_t>(place), 1, {}}});
  throw InputError({Diagnostic{"profile", fmt::format("at {} {}: {}", profile.place_word, place, what), profile.file, 0,
                               0, {}}});
}

}  // namespace gdsim
