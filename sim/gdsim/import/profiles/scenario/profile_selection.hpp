#pragma once

#include <gdsim/import/profiles/profile.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gdsim {

/// Selects the launches of a profile that become a scenario.
struct ProfileSelection {
  std::string kernel;                ///< a regular expression (NamePattern) found in a kernel's name; empty: all
  std::optional<Duration> from;      ///< launches that start at least this long after the device's first one
  std::optional<Duration> to;        ///< and less than this long after it
  std::optional<std::uint64_t> top;  ///< only this many kernels: those that take the most time
};

/// The times of a profile that are known for all selected launches.
struct ProfiledTimes {
  bool has_starts = false;
  bool has_durations = false;
};

/// Returns the device of a profile on which kernels take the most time, as a number in Profile::texts. Throws
/// InputError if the profile has no kernel launch.
std::uint32_t main_device(const Profile& profile);

/// Reduces the profile to the launches on `device` that `selection` selects and that can be simulated, sorted by start.
/// Counts all others in Profile::left_out. Throws InputError if nothing is left, or if the selection is invalid.
ProfiledTimes choose_launches(Profile& profile, std::uint32_t device, const ProfileSelection& selection);

/// Returns names of kernels for a scenario: short, unique, and different from any launch's default name (`k#2`).
std::vector<std::string> profile_keys(const std::vector<std::string>& full_names);

}  // namespace gdsim
