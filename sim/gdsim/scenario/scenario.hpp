#pragma once

#include <gdsim/base/decimal.hpp>
#include <gdsim/base/diagnostic.hpp>
#include <gdsim/base/ids.hpp>
#include <gdsim/base/quantity.hpp>
#include <gdsim/device/device_spec.hpp>
#include <gdsim/record/phases.hpp>
#include <gdsim/record/run_record.hpp>
#include <gdsim/workload/workload.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace gdsim {

/// Occupancy of each phase, percent of the device's contexts, in order.
struct ExpectedPhases {
  std::vector<Decimal> percent;
};
/// Resident threads of each phase, in order.
struct ExpectedPhaseThreads {
  std::vector<std::uint64_t> threads;
};
/// Running threads of each phase, averaged over it, in order.
struct ExpectedRunningThreads {
  std::vector<Decimal> threads;
};
/// Duration of each constant phase and band, in order; their number must match, too.
struct ExpectedPhaseDurations {
  std::vector<Duration> times;
};
struct ExpectedPeakOccupancy {
  Decimal percent;
};
struct ExpectedMeanOccupancy {
  Decimal percent;
};
/// RunRecord::achieved_occupancy().
struct ExpectedAchievedOccupancy {
  Decimal percent;
};
/// The highest occupancy of single cores, percent of a core's contexts.
struct ExpectedCores {
  struct Peak {
    CoreId core{};
    Decimal percent;
  };
  std::vector<Peak> cores;
};
/// RunRecord::duration().
struct ExpectedDuration {
  Duration time;
};
/// RunRecord::active().
struct ExpectedActive {
  Duration time;
};
struct ExpectedOutcome {
  Outcome outcome{};
};
/// First dispatch, last end and begin of launches, and durations from begin and dispatch, where given.
struct ExpectedLaunchTimes {
  struct Times {
    LaunchId launch{};
    std::optional<SimTime> first_dispatched;
    std::optional<SimTime> ended;
    std::optional<SimTime> begun;
    std::optional<Duration> duration;
    std::optional<Duration> active;
  };
  std::vector<Times> launches;
};
/// The core of each work-group of launches, by work-group number.
struct ExpectedPlacement {
  struct Cores {
    LaunchId launch{};
    std::vector<CoreId> cores;
  };
  std::vector<Cores> launches;
};
/// The minimum share of a launch's measured work-groups that run on the core where they were measured.
struct ExpectedShareOnCore {
  struct Measured {
    WorkGroupId work_group{};
    CoreId core{};
  };
  LaunchId launch{};
  std::vector<Measured> measured;
  Decimal at_least_percent;
};
/// The device refuses the scenario for this reason, a code such as `too_many_registers`; `gdsim help scenario` lists
/// all codes.
struct ExpectedRefusal {
  std::string code;
};

using ExpectedItem = std::variant<ExpectedPhases, ExpectedPhaseThreads, ExpectedRunningThreads, ExpectedPhaseDurations,
                                  ExpectedPeakOccupancy, ExpectedMeanOccupancy, ExpectedAchievedOccupancy,
                                  ExpectedCores, ExpectedDuration, ExpectedActive, ExpectedOutcome, ExpectedLaunchTimes,
                                  ExpectedPlacement, ExpectedShareOnCore, ExpectedRefusal>;

/// The allowed deviation from the expected value. nullopt: none.
struct Tolerance {
  std::optional<Decimal> points;   ///< percentage points, for occupancies
  std::optional<Decimal> threads;  ///< for running threads
  std::optional<Decimal> percent;  ///< of the expected value, for times
  std::optional<Duration> time;
};

/// The status of an item: it must hold, or it is a known gap, which does not hold yet.
enum class ExpectationStatus : std::uint8_t { must_hold, known_gap };

/// One item of `expect:`.
struct Expectation {
  std::string key;  ///< as in the file: `phases`, `duration`, ...
  ExpectedItem item;
  Tolerance within;
  std::string source;  ///< where the expected value comes from
  ExpectationStatus status = ExpectationStatus::must_hold;
  SourceMark mark;
};

/// The contents of a scenario file, read and checked: the device, its workload, and the expected results.
///
///     const gdsim::ScenarioFile file = gdsim::read_scenario("mine.yaml");
///     const gdsim::Scenario& scenario = file.cases.front().scenario;
///     const gdsim::Compilation ready = gdsim::compile(scenario.device, scenario.dispatch, scenario.workload);
struct Scenario {
  std::string file;  ///< as named by the caller
  std::string title;
  DeviceSpec device;
  DispatchRules dispatch;  ///< the device's rules, overridden key by key
  Workload workload;
  MinPhase min_phase;
  std::uint64_t repeat = 1;  ///< number of runs, with seeds one higher each
  std::vector<Expectation> expectations;
  /// The reasons why the device refuses to run this, with their places. Empty if it can run. They are kept only if an
  /// `expect: error` expects them, or if this is one of several cases; otherwise they are problems of the file.
  std::vector<Diagnostic> refusals;
  /// With several devices: the scenario of each, in which launches of the others are remote. This scenario then has no
  /// `device` and `workload` of its own. Empty if there is one device.
  std::vector<Scenario> devices{};
  std::string device_name{};              ///< its name under `devices:`, if this is one of several devices
  std::vector<DeviceLink> links{};        ///< between `devices`
  Diagnostic power_place{};               ///< the place of the device's `power`; its `message` is empty
  std::vector<Collective> collectives{};  ///< of `devices`, or of all devices if this is one of several

  /// Returns true if an item of `expect:` says that the device refuses the scenario.
  bool expects_refusal() const;
};

/// The devices of a scenario, each as a scenario: itself if it has one device.
inline std::span<const Scenario> devices_of(const Scenario& scenario) {
  if (scenario.devices.empty()) return std::span(&scenario, 1);
  return scenario.devices;
}

/// One case of a scenario file; a file without `cases:` has a single one without a name.
struct ScenarioCase {
  std::string name;
  std::vector<std::pair<std::string, std::string>> values_set;  ///< path, value as written
  Scenario scenario;
  /// The scenario as it is run: the text of the file, or the result of the case and overrides.
  std::string effective;
};

}  // namespace gdsim
