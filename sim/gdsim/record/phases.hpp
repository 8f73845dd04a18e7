#pragma once

#include <gdsim/base/decimal.hpp>
#include <gdsim/base/quantity.hpp>

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace gdsim {

/// The shape of the number of resident threads during a phase.
enum class PhaseShape : std::uint8_t {
  constant,  ///< it does not change, except for dips that are too short to count
  band,      ///< it stays near its mean (see PhaseRules::band) and returns to it
  ramp,      ///< it leaves such a band: it rises, or goes up and down
  tail       ///< it leaves such a band: it falls
};

/// Returns the name in files: `constant`, `band`, `ramp` or `tail`. Thread-safe.
std::string_view name_of(PhaseShape kind);

/// A stretch of a run in which resident threads are constant, stay in a band, or form a ramp or the tail.
///
///     for (const gdsim::Phase& phase : result.record.phases.phases)
///       std::cout << phase.resident << " threads for " << gdsim::to_text(phase.duration()) << '\n';
struct Phase {
  SimTime begin;
  SimTime end;
  std::uint64_t resident = 0;    ///< the count of a constant phase, else the mean, rounded to a whole thread
  Int128 running_time = 0;       ///< integral of running threads, thread-picoseconds
  std::uint64_t cores_busy = 0;  ///< the maximum at any instant
  PhaseShape kind = PhaseShape::constant;
  Int128 resident_time = 0;        ///< integral of resident threads, thread-picoseconds
  std::uint64_t min_resident = 0;  ///< the minimum at any instant
  std::uint64_t max_resident = 0;  ///< the maximum at any instant

  Duration duration() const { return end - begin; }
  /// Returns true if the phase has a level that an expectation can specify.
  bool is_level() const { return kind == PhaseShape::constant || kind == PhaseShape::band; }
  /// Returns the exact mean of resident (of running) threads; 0 for a phase without duration.
  Ratio mean_resident() const { return mean_of(resident_time); }
  Ratio mean_running() const { return mean_of(running_time); }
  /// Returns the count of a constant phase, else the exact mean, in percent of `contexts`; 0 if there are no contexts.
  Ratio occupancy_percent(std::uint64_t contexts) const;

 private:
  Ratio mean_of(Int128 time) const {
    if (duration().count == 0) return {};
    return {static_cast<UInt128>(time), static_cast<UInt128>(duration().count)};
  }
};

/// Consecutive intervals that are too short for a phase.
struct Transition {
  SimTime begin;
  SimTime end;
  std::uint64_t min_resident = 0;
  std::uint64_t max_resident = 0;
};

/// The shortest duration of a phase. A strictly shorter interval is not a phase.
struct MinPhase {
  Ratio share_of_run{5, 1000};   ///< of first dispatch to last end; numerator and denominator below 2^58
  std::optional<Duration> time;  ///< if given, used instead
};

/// The criteria for phases on a device with `contexts` contexts.
struct PhaseRules {
  MinPhase min_phase;
  std::uint64_t contexts = 0;
  Ratio band{25, 1000};  ///< share of the contexts that a band may lie above and below its mean

  /// Returns true if `duration` is strictly shorter than `times` the shortest phase of a run that lasts `whole`.
  bool is_shorter(Duration duration, Duration whole, std::int64_t times = 1) const;
  /// Returns true if `difference` of resident threads is at most the band's half height.
  bool is_in_band(std::uint64_t difference) const;
};

struct PhaseList {
  std::vector<Phase> phases;
  std::vector<Transition> transitions;
};

}  // namespace gdsim
