#pragma once

#include <gdsim/base/decimal.hpp>
#include <gdsim/base/int128.hpp>
#include <gdsim/base/quantity.hpp>
#include <gdsim/record/counts.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace gdsim {

/// A maximal interval in which the number of resident threads does not change.
struct Phase {
  Picoseconds start;
  Picoseconds end;
  std::uint64_t resident = 0;
  Int128 running_time = 0;       ///< integral of running threads, thread-picoseconds
  std::uint64_t cores_busy = 0;  ///< the most at any instant of the phase

  Picoseconds duration() const { return end - start; }
};

/// Intervals too short to be phases, next to each other.
struct Transition {
  Picoseconds start;
  Picoseconds end;
  std::uint64_t fewest_resident = 0;
  std::uint64_t most_resident = 0;
};

/// How short an interval must be to be no phase: strictly shorter than this.
struct MinPhase {
  Ratio share_of_run{5, 1000};      ///< of the time from first dispatch to last end; both parts below 2^63
  std::optional<Picoseconds> time;  ///< if given, counts instead
};

struct PhaseList {
  std::vector<Phase> phases;
  std::vector<Transition> transitions;
};

/// Cuts a run into phases as it happens. Needs no memory per interval: what is short against the time
/// elapsed so far is short against the whole, and at most a few thousand intervals are not.
class PhaseDetector {
 public:
  explicit PhaseDetector(const MinPhase& min_phase);

  /// From `time` on, the device is in this state.
  void state(Picoseconds time, const DeviceCounts& counts);
  /// What it knows at the end of a period.
  struct Mark {
    std::optional<Phase> open;
    Picoseconds accounted;
    std::size_t pieces = 0;
    Int128 last_running_time = 0;  ///< of the last piece
  };
  Mark mark() const;
  /// All states since `mark` recur `count` times, moved by `period`, as they did before it. True if they pass at once:
  /// if nothing in them is long enough to be kept. Otherwise it knows nothing of them.
  bool pass(const Mark& mark, std::uint64_t count, Picoseconds period);

  /// The phases up to `end`, the last of which began at the last change of resident threads.
  PhaseList finish(Picoseconds end);

 private:
  /// One interval, or neighbouring short ones.
  struct Piece {
    Phase span;
    std::uint64_t fewest_resident;
    std::uint64_t most_resident;
    bool is_short;
  };

  bool is_short(Picoseconds duration, Picoseconds whole) const;
  void account_until(Picoseconds time);
  void close_interval(Picoseconds end);

  MinPhase min_phase_;
  std::optional<Phase> open_;  ///< nothing before the first dispatch
  Picoseconds first_;
  Picoseconds accounted_;
  std::uint64_t running_ = 0;
  std::vector<Piece> pieces_;
};

}  // namespace gdsim
