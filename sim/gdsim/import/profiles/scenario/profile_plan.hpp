#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/import/profiles/profile.hpp>
#include <gdsim/import/profiles/scenario/launch_selection.hpp>
#include <gdsim/import/profiles/scenario/plan_fits.hpp>
#include <gdsim/report/sink.hpp>
#include <gdsim/run/simulate.hpp>
#include <gdsim/workload/workload.hpp>
#include <gdsim/yaml/yaml_value.hpp>

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gdsim {

/// A key that a scenario sets on its device, and the reason.
struct DeviceOverride {
  std::string key;
  std::string value;  ///< as the scenario writes it
  std::string why;    ///< a sentence
};

/// A kernel of the scenario, and its origin.
struct PlannedKernel {
  std::string full_name;
  Duration shortest;  ///< measured duration of the shortest launch
  Duration longest;
  Duration fitted_to;  ///< duration that a launch of it should have
  std::uint64_t launches = 0;
  FittedDuration fitted{};              ///< computes nothing if the file has no durations
  bool is_fitted_among_others = false;  ///< simulated with the launches that overlap its own
  std::optional<CountedWork> work{};    ///< a profiler's counts; nullopt: it computes for a time
  FittedWork fitted_work{};             ///< valid if there is `work`
  std::string spread;                   ///< the drawn variation, as the scenario writes it; empty: none
  bool sub_group_is_assumed = false;
  bool registers_are_known = false;
  bool slm_is_known = false;
};

/// A collective between devices, as a scenario writes it.
struct PlannedCollective {
  std::string kind;
  std::string algorithm;
  Bytes bytes;
};

/// The link between all devices.
struct PlannedLink {
  BytesPerSecond bandwidth;
  Duration latency;
};

/// The devices that each repeat the measured work.
struct PlannedDevices {
  std::uint64_t count = 1;
  std::optional<PlannedLink> link{};
};

/// The expected times of a launch, and whether the simulation of the whole scenario matched them.
struct PlannedLaunch {
  std::size_t row = 0;      ///< in Profile::launches
  std::uint64_t count = 1;  ///< equal launches, one after another
  std::optional<SimTime> begun{};
  std::optional<Duration> duration{};
  std::optional<Duration> simulated{};  ///< its duration in the whole scenario
  bool is_merged = false;               ///< its kernel represents others, too: no times are expected
  bool is_gap = false;                  ///< more than 1 % off
  std::optional<PlannedCollective> collective{};
  bool is_loose = false;  ///< a copy with another duration than measured, which is not expected
};

/// Achieved occupancy in a profile of one launch, hundredths of a percent.
struct PlannedOccupancy {
  std::uint64_t measured = 0;
  std::uint64_t simulated = 0;
  /// The maximum difference in hundredths: the average error of other profiles, whose launches are computing times
  /// (tests/results/model_fits.csv).
  static constexpr std::uint64_t kWithin = 500;
  bool is_gap() const { return (measured > simulated ? measured - simulated : simulated - measured) > kWithin; }
};

/// A profile as a scenario. `workload` will run: its kernels and launches are those of `kernels` and `launches`.
struct ProfilePlan {
  std::string title;
  std::string file;
  Workload workload;
  std::vector<PlannedKernel> kernels;
  std::vector<PlannedLaunch> launches;
  std::vector<DeviceOverride> overrides;
  std::optional<PlannedDevices> devices{};  ///< nullopt: one, as measured
  bool has_durations = false;
  bool has_starts = false;
  std::vector<std::string> notes;               ///< what was assumed, each a sentence
  std::optional<PlannedOccupancy> occupancy{};  ///< of the only launch, if it was counted
  std::size_t gaps = 0;
  std::string worst;        ///< the launch whose duration deviates most, for people; empty: nothing was measured
  std::string worst_begin;  ///< the launch whose start deviates most, for people; empty: nothing was measured

  bool has_counted_work() const {
    return std::any_of(kernels.begin(), kernels.end(),
                       [](const PlannedKernel& kernel) { return kernel.work.has_value(); });
  }
};

/// Is told how many of a number of kernels have been fitted.
using PlanProgress = std::function<void(std::uint64_t done, std::uint64_t all)>;

/// Makes a scenario of the selected launches of a profile: kernels by shape, durations fitted on `device`, starts as
/// measured. Applies the overrides to `device`. Launches of kernels that the device refuses are counted in
/// Profile::left_out. Throws InputError if none is left, and ImportStopped once `stop` is requested.
ProfilePlan plan_profile(Profile& profile, DeviceSpec& device, const ProfiledTimes& times, Merging merging,
                         const StopToken& stop = {}, const PlanProgress& show = {});

/// The device of a scenario in its file: a model's name or path, and the keys that are set on it.
struct ScenarioDevice {
  std::string reference;                                    ///< the value of `device:` or `base:`
  std::vector<std::pair<std::string, std::string>> counts;  ///< keys of a family that the profile gives: `cores`, `108`
  std::vector<std::string> comments;                        ///< reasons for the choice, each a sentence
};

/// Returns the value of `device:`: a name, or a mapping with `base:`.
YamlValue device_value(const ScenarioDevice& device, const std::vector<DeviceOverride>& overrides);

/// Writes the plan as YAML, which reads back to the same workload.
void write_profile_scenario(const Profile& profile, const ProfilePlan& plan, const ScenarioDevice& device, Sink& sink);

}  // namespace gdsim
