#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/import/ptx/block_log.hpp>
#include <gdsim/import/ptx/ptx_launch.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gdsim {

/// An integer function that grows with an argument: max(0, floor((numerator x argument + addend) / denominator)).
struct TripExpression {
  std::uint32_t argument = 0;
  std::int64_t numerator = 1;
  std::int64_t addend = 0;
  std::int64_t denominator = 1;

  std::int64_t trips_at(std::int64_t value) const;
};

/// Observed trips, by the argument's value.
using TripSamples = std::map<std::int64_t, std::int64_t>;

/// The simplest expression that gives all samples: powers of two as denominators first, and addends that round down or
/// up; nothing if there is none. Values and trips are at most 2^32.
std::optional<TripExpression> line_through(const TripSamples& samples);

/// The origin of trip counts, by loop.
struct LoopTrips {
  std::map<std::uint32_t, TripExpression> expressions;
  std::map<std::uint32_t, std::string> fixed;  ///< why the count is a number, although an argument changes it
  std::vector<std::string> notes;
};

/// Trip counts as expressions of one argument each. The first work-group is executed with a quarter, a half and twice
/// of each argument, its neighbours and an odd value. A loop that only one argument changes gets the expression that
/// gives all counts, and those on both sides of the next values at which it steps. `log` has the arguments as given.
LoopTrips trip_expressions(const PtxKernel& kernel, const PtxLaunch& launch, const BlockLog& log,
                           const SourceText& source);

/// The number of iterations of a loop each time that it is entered.
struct SeenTrips {
  bool is_reached = true;               ///< false: nothing is known, since the code around the loop is not executed
  std::optional<std::int64_t> trips{};  ///< nothing: they differ from entry to entry, or not all warps enter
  LoopCounts counts;

  /// Returns true if the average over all entries is the same, and equally regular.
  bool is_like(const SeenTrips& other) const {
    return trips.has_value() == other.trips.has_value() &&
           counts.iterations * other.counts.entries == other.counts.iterations * counts.entries &&
           (counts.iterations == 0) == (other.counts.iterations == 0);
  }
};

/// Executes the first and the last warp of the first work-group of a launch, also with other values of one argument,
/// and records the trips of their loops.
class TripProbe {
 public:
  /// `log` is that of a work-group executed with the arguments as given.
  TripProbe(const PtxKernel& kernel, const PtxLaunch& launch, const BlockLog& log, const SourceText& source)
      : kernel_(kernel), launch_(launch), log_(log), source_(source) {}

  /// By loop, with the arguments as given; all loops have no trips if that cannot be followed.
  std::vector<SeenTrips> as_given();
  /// By loop; null: the kernel cannot be followed with this value, or not within the rest of kMaxProbed.
  const std::vector<SeenTrips>* trips_with(const PtxArgument& argument, std::uint64_t value);

  static constexpr std::uint64_t kMaxProbed = 200'000'000;  ///< instructions of warps, over all values

 private:
  std::optional<std::vector<SeenTrips>> executed(const PtxLaunch& launch);

  const PtxKernel& kernel_;
  const PtxLaunch& launch_;
  const BlockLog& log_;
  const SourceText& source_;
  std::optional<ExecutionCounts> given_;  ///< with the arguments as given
  std::uint64_t instructions_ = 0;
  std::map<std::pair<PtxArgument, std::uint64_t>, std::optional<std::vector<SeenTrips>>> seen_;
};

}  // namespace gdsim
