#pragma once

#include <gdsim/base/decimal.hpp>
#include <gdsim/base/ids.hpp>
#include <gdsim/base/quantity.hpp>
#include <gdsim/base/source_text.hpp>
#include <gdsim/record/outcome.hpp>

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
struct ExpectedPeakOccupancy {
  Decimal percent;
};
struct ExpectedMeanOccupancy {
  Decimal percent;
};
/// First dispatch to last end.
struct ExpectedDuration {
  Picoseconds time;
};
struct ExpectedOutcome {
  Outcome outcome{};
};
/// First dispatch and last end of launches, where given.
struct ExpectedLaunchTimes {
  struct Times {
    LaunchId launch{};
    std::optional<Picoseconds> start;
    std::optional<Picoseconds> end;
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
/// The device refuses the scenario for this reason, one of kRefusalCodes.
struct ExpectedRefusal {
  std::string code;
};

using ExpectedItem =
    std::variant<ExpectedPhases, ExpectedPhaseThreads, ExpectedPeakOccupancy, ExpectedMeanOccupancy, ExpectedDuration,
                 ExpectedOutcome, ExpectedLaunchTimes, ExpectedPlacement, ExpectedRefusal>;

/// How far off is still as expected. Nothing: exactly.
struct Tolerance {
  std::optional<Decimal> points;   ///< percentage points, for occupancies
  std::optional<Decimal> percent;  ///< of the expected value, for durations
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

}  // namespace gdsim
