#pragma once

#include <gdsim/base/decimal.hpp>
#include <gdsim/base/quantity.hpp>

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace gdsim {

/// The shape of the number of resident threads during a phase.
enum class PhaseKind : std::uint8_t {
  constant,  ///< it does not change, except for dips that are too short to count
  band,      ///< it stays near its mean (see PhaseRules::band) and returns to it
  ramp,      ///< it changes by more than that: rises, or goes up and down
  tail       ///< it falls by more than that
};

/// `constant`, `band`, `ramp`, `tail`: the words of files. Thread-safe.
std::string_view name_of(PhaseKind kind);
/// Returns the kind of this name, or nullopt if there is none. Thread-safe.
std::optional<PhaseKind> phase_kind_of(std::string_view name);

/// A stretch of a run in which resident threads are constant, stay in a band, or form a ramp or the tail.
///
///     for (const gdsim::Phase& phase : result.record.phases.phases)
///       std::cout << phase.resident << " threads for " << gdsim::to_text(phase.duration()) << '\n';
struct Phase {
  SimTime start;
  SimTime end;
  std::uint64_t resident = 0;    ///< of a constant phase its count, else the mean, rounded to a whole thread
  Int128 running_time = 0;       ///< integral of running threads, thread-picoseconds
  std::uint64_t cores_busy = 0;  ///< the most at any instant of the phase
  PhaseKind kind = PhaseKind::constant;
  Int128 resident_time = 0;        ///< integral of resident threads, thread-picoseconds
  std::uint64_t min_resident = 0;  ///< the fewest at any instant
  std::uint64_t max_resident = 0;  ///< the most at any instant

  Duration duration() const { return end - start; }
  /// Returns true if it has a level that an expectation can name.
  bool is_level() const { return kind == PhaseKind::constant || kind == PhaseKind::band; }
  /// Exact mean of resident threads; of running ones. 0 for a phase without duration.
  Ratio mean_resident() const { return mean_of(resident_time); }
  Ratio mean_running() const { return mean_of(running_time); }
  /// Percent of `contexts`: of a constant phase its count, else the exact mean. 0 if there are none.
  Ratio occupancy_percent(std::uint64_t contexts) const;

 private:
  Ratio mean_of(Int128 time) const {
    if (duration().count == 0) return {};
    return {static_cast<UInt128>(time), static_cast<UInt128>(duration().count)};
  }
};

/// Consecutive intervals that are too short to be phases.
struct Transition {
  SimTime start;
  SimTime end;
  std::uint64_t min_resident = 0;
  std::uint64_t max_resident = 0;
};

/// An interval strictly shorter than this is no phase.
struct MinPhase {
  Ratio share_of_run{5, 1000};   ///< of the time from first dispatch to last end; both parts below 2^58
  std::optional<Duration> time;  ///< if given, used instead
};

/// The criteria for phases, on a device with this many contexts.
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
