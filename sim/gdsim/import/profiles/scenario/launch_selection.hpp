#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/import/profiles/profile.hpp>
#include <gdsim/workload/kernel.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
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

/// Selects launches of equal shape (name, grid, block, registers, shared memory) that share a kernel in the scenario.
enum class Merging : std::uint8_t {
  one_by_one,  ///< none: each launch has its own kernel
  close,       ///< those whose durations differ by no more than 0.5 %
  by_shape,    ///< all: their spread becomes a draw per launch
};

/// Launches that share a kernel. Indices are those of Profile::launches, ascending.
struct LaunchClass {
  std::vector<std::size_t> launches;
  std::int64_t shortest = 0;  ///< picoseconds, as all; 0 without durations
  std::int64_t longest = 0;
  std::int64_t median = 0;
};

/// Launches of equal shape.
struct LaunchShape {
  std::size_t first = 0;  ///< a launch with this shape
  std::vector<LaunchClass> classes;
};

/// The kernels of a profile by shape, in order of first appearance. Copies have no shape.
std::vector<LaunchShape> launch_shapes(const Profile& profile, Merging merging);

/// The durations of launches of one shape. A row counts once for each launch that it represents, but at least once.
struct LaunchSpread {
  std::int64_t mean = 0;       ///< picoseconds, at least 1
  std::int64_t deviation = 0;  ///< picoseconds, the standard deviation, rounded down
};

/// `launches` are indices of Profile::launches with durations, at least one.
LaunchSpread spread_of(const Profile& profile, const std::vector<std::size_t>& launches);

/// Returns a lognormal factor per launch for its computing, so that launches of mean duration `mean`, which includes a
/// constant `cost`, have this deviation, limited to ten times the mean without `cost` (see is_too_wide()). Returns
/// nullopt if launches differ by less than a thousandth.
std::optional<Draw> draw_of_spread(const LaunchSpread& spread, Duration cost);
/// Returns true if no draw of a scenario varies as much.
bool is_too_wide(const LaunchSpread& spread, Duration cost);

/// Returns the kernel of this launch, without a program. `sub_group` is the number of work-items per thread for
/// launches without one.
Kernel shape_kernel(const ProfiledLaunch& launch, std::uint32_t sub_group);

/// The work-items per thread of a device that the profile does not describe: the device's only size. If it has several
/// sizes, 32 is assumed, or 16 for Intel's devices.
std::uint32_t usual_sub_group(const DeviceSpec& device);

}  // namespace gdsim
