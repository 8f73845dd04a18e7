#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/import/profiles/profile.hpp>
#include <gdsim/import/profiles/scenario/duration_fit.hpp>
#include <gdsim/import/profiles/scenario/launch_shapes.hpp>
#include <gdsim/import/profiles/scenario/profile_selection.hpp>
#include <gdsim/import/profiles/scenario/work_fit.hpp>
#include <gdsim/run/simulate.hpp>
#include <gdsim/workload/workload.hpp>

#include <optional>
#include <string>
#include <vector>

namespace gdsim {

/// A key that a scenario sets on its device, and why.
struct DeviceOverride {
  std::string key;
  std::string value;  ///< as the scenario writes it
  std::string why;    ///< a sentence
};

/// A kernel of the scenario, and how it came about.
struct PlannedKernel {
  std::string full_name;
  Duration shortest;  ///< of its launches, as measured
  Duration longest;
  Duration fitted_to;  ///< how long a launch of it should last
  std::uint64_t launches = 0;
  FittedDuration fitted{};              ///< nothing is computed where the file has no durations
  bool is_fitted_among_others = false;  ///< not alone, but beside the launches that overlap its own
  std::optional<CountedWork> work{};    ///< what a profiler counted; nothing: a time is computed
  FittedWork fitted_work{};             ///< if there is `work`
  std::string spread;                   ///< the drawn variation, as the scenario writes it; empty: none
  bool sub_group_is_assumed = false;
  bool registers_are_known = false;
  bool slm_is_known = false;
};

/// An exchange between devices, as a scenario writes it.
struct PlannedCollective {
  std::string kind;
  std::string algorithm;
  Bytes bytes;
};

/// The devices that each do what was measured.
struct PlannedDevices {
  std::uint64_t count = 1;
  std::string link;  ///< keys of the link between all of them; empty: there is none
};

/// What is expected of a launch, and whether the simulation of the whole scenario gave it.
struct PlannedLaunch {
  std::size_t row = 0;      ///< in Profile::launches
  std::uint64_t count = 1;  ///< equal launches, one after another
  std::optional<SimTime> begun{};
  std::optional<Duration> duration{};
  std::optional<Duration> simulated{};  ///< its duration in the whole scenario
  bool is_merged = false;               ///< its kernel stands for others, too: nothing is expected of it
  bool is_gap = false;                  ///< more than 1 % off
  std::optional<PlannedCollective> collective{};
  bool is_loose = false;                ///< a copy that does not last as measured: its duration is not expected
};

/// Achieved occupancy of a profile of one launch, hundredths of a percent.
struct PlannedOccupancy {
  std::uint64_t measured = 0;
  std::uint64_t simulated = 0;
  /// So many hundredths apart, at most: as far as that of other profiles is off on average, whose launches are
  /// computing times (tests/results/model_fits.csv).
  static constexpr std::uint64_t kWithin = 500;
  bool is_gap() const { return (measured > simulated ? measured - simulated : simulated - measured) > kWithin; }
};

/// A profile as a scenario. `workload` is what will run: its kernels and launches are those of `kernels` and
/// `launches`.
struct ProfilePlan {
  std::string title;
  std::string file;
  Workload workload;
  std::vector<PlannedKernel> kernels;
  std::vector<PlannedLaunch> launches;
  std::vector<DeviceOverride> overrides;
  std::optional<PlannedDevices> devices{};  ///< nothing: one, as measured
  bool has_durations = false;
  bool has_starts = false;
  std::vector<std::string> notes;               ///< what was assumed, each a sentence
  std::optional<PlannedOccupancy> occupancy{};  ///< of the only launch, if it was counted
  std::size_t gaps = 0;
  std::string worst;        ///< the launch whose duration deviates most, for people; empty: nothing was measured
  std::string worst_begin;  ///< the launch whose start deviates most, for people; empty: nothing was measured
};

/// Makes a scenario of the chosen launches of a profile: kernels by shape, durations fitted on `device`, starts as
/// measured. Changes `device` by the overrides. Launches of kernels that the device refuses are counted in
/// Profile::left_out; throws InputError if none is left, and ImportStopped once `stop` is requested.
ProfilePlan plan_profile(Profile& profile, DeviceSpec& device, const ProfiledTimes& times, Merging merging,
                         const StopToken& stop = {});

}  // namespace gdsim
