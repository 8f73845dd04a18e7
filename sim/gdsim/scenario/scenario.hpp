#pragma once

#include <gdsim/base/decimal.hpp>
#include <gdsim/base/diagnostic.hpp>
#include <gdsim/base/ids.hpp>
#include <gdsim/base/quantity.hpp>
#include <gdsim/device/device_spec.hpp>
#include <gdsim/record/outcome.hpp>
#include <gdsim/record/phases.hpp>
#include <gdsim/workload/workload.hpp>

#include <cstdint>
#include <optional>
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
/// First dispatch to last end.
struct ExpectedDuration {
  Picoseconds time;
};
struct ExpectedOutcome {
  Outcome outcome{};
};
/// First dispatch and last end of launches, when they began, and how long they took from then on, where given.
struct ExpectedLaunchTimes {
  struct Times {
    LaunchId launch{};
    std::optional<Picoseconds> start;
    std::optional<Picoseconds> end;
    std::optional<Picoseconds> begun;
    std::optional<Picoseconds> duration;
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
/// The minimum share of a launch's measured work-groups that are on the core where they were measured.
struct ExpectedShareOnCore {
  struct Measured {
    WorkGroupId work_group{};
    CoreId core{};
  };
  LaunchId launch{};
  std::vector<Measured> measured;
  Decimal at_least_percent;
};
/// The device refuses the scenario for this reason, one of kRefusalCodes.
struct ExpectedRefusal {
  std::string code;
};

using ExpectedItem =
    std::variant<ExpectedPhases, ExpectedPhaseThreads, ExpectedRunningThreads, ExpectedPeakOccupancy,
                 ExpectedMeanOccupancy, ExpectedAchievedOccupancy, ExpectedCores, ExpectedDuration, ExpectedOutcome,
                 ExpectedLaunchTimes, ExpectedPlacement, ExpectedShareOnCore, ExpectedRefusal>;

/// How far off is still as expected. Nothing: exactly.
struct Tolerance {
  std::optional<Decimal> points;   ///< percentage points, for occupancies
  std::optional<Decimal> threads;  ///< for running threads
  std::optional<Decimal> percent;  ///< of the expected value, for times
  std::optional<Picoseconds> time;
};

/// Whether an item must hold, or is known not to hold yet.
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

/// What a scenario file says, read and checked: what runs where, and what is expected.
///
///     gdsim::SourceFiles sources;
///     const gdsim::Scenario scenario = gdsim::read_scenario("mine.yaml", {}, sources).front().scenario;
///     const gdsim::Compilation ready = gdsim::compile(scenario.device, scenario.dispatch, scenario.workload);
struct Scenario {
  std::string file;  ///< as named by the caller
  std::string title;
  DeviceSpec device;
  DispatchRules dispatch;  ///< the device's, overridden key by key
  Workload workload;
  MinPhase min_phase;
  std::uint64_t repeat = 1;  ///< runs, with seeds one higher each
  std::vector<Expectation> expectations;
  /// Why the device refuses to run this, with the places. Empty if it can run. Kept only if an `expect: error` expects
  /// it, or if this is one of several cases; else they are problems of the file.
  std::vector<Diagnostic> refusals;

  /// An item of `expect:` says that the device refuses it.
  bool expects_refusal() const;
};

/// One case of a scenario file; a file without `cases:` has one, without a name.
struct ScenarioCase {
  std::string name;
  std::vector<std::pair<std::string, std::string>> values_set;  ///< path, value as written
  Scenario scenario;
  std::string
      effective;  ///< the scenario as it is run: the text of the file, or what the case and overrides make of it
};

}  // namespace gdsim
