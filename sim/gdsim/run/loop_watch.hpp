#pragma once

#include <gdsim/record/segment.hpp>
#include <gdsim/run/loop_state.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace gdsim {

class Execution;

/// Looks at the ends of rounds of a loop, while nobody comes or goes, whether the state recurs. Then records what
/// happens in the next period.
///
/// A state costs to tell: after each, as many events must happen as it has words before the next is told. One is kept,
/// of a look whose number is a power of two (Brent, as in PeriodWatch).
class LoopWatch {
 public:
  explicit LoopWatch(const Execution& execution) : execution_(execution) {}

  /// Someone has come or gone: what was seen is of no use.
  void restart();
  bool is_recording() const { return is_recording_; }
  /// To be told of every instant at which something happens.
  void see(Picoseconds now, std::span<const Fact> facts);
  /// To be asked after every instant, `events` having happened so far. True if a period lies behind it: period() and
  /// segment() tell of it.
  bool has_recurred(Picoseconds now, bool at_loop_head, std::uint64_t events);

  const LoopPeriod& period() const { return *period_; }
  Segment& segment() { return segment_; }
  /// What threads of active kernels did with their time before the period.
  const std::vector<KernelUse>& time_use_before() const { return time_use_; }

 private:
  void look(std::uint64_t events);

  const Execution& execution_;
  bool is_recording_ = false;
  std::uint64_t looks_ = 0;
  std::uint64_t next_reference_ = 1;
  std::uint64_t next_look_ = 0;  ///< in events
  bool has_reference_ = false;
  LoopState reference_;
  LoopState state_;
  Segment segment_;
  std::vector<KernelUse> time_use_;
  std::optional<LoopPeriod> period_;
};

}  // namespace gdsim
