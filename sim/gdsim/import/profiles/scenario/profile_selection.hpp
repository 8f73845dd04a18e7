#pragma once

#include <gdsim/import/profiles/profile.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace gdsim {

/// Which launches of a profile become a scenario.
struct ProfileSelection {
  std::string kernel;                ///< a regular expression (NamePattern) found in a kernel's name; empty: all
  std::optional<Duration> from;      ///< launches that start no earlier than so long after the device's first one
  std::optional<Duration> to;        ///< and before so long after it
  std::optional<std::uint64_t> top;  ///< only this many kernels, those of the most time
};

/// What of a profile's times is there for all launches that were chosen.
struct ProfiledTimes {
  bool has_starts = false;
  bool has_durations = false;
};

/// The device of a profile on which its kernels take the most time, as a number in Profile::texts. Throws InputError if
/// the profile has no launch of a kernel.
std::uint32_t main_device(const Profile& profile);

/// Leaves in the profile what `selection` chooses of the launches on `device` that can be simulated, in the order of
/// their starts; counts everything else in Profile::left_out. Throws InputError if nothing is left, or the selection
/// cannot be understood.
ProfiledTimes choose_launches(Profile& profile, std::uint32_t device, const ProfileSelection& selection);

}  // namespace gdsim
