#pragma once

#include <gdsim/record/time_use.hpp>
#include <gdsim/run/loop_state.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace gdsim {

class Execution;

/// Looks at work-groups that are apart from all others, each at the ends of rounds of a loop of its own, whether their
/// state recurs with nothing seen in between. How often it looks, and at what: see LoopWatch.
class ApartWatch {
 public:
  explicit ApartWatch(const Execution& execution) : execution_(execution) {}

  /// Rounds of this loop are looked at, and it is time to; `events` have happened so far.
  bool is_due(const LoopHead& head, std::uint64_t events);
  /// How the state of the work-group, which is apart, has recurred. It was apart since, if nobody may come to its core.
  std::optional<LoopPeriod> look(const LoopHead& head, std::uint64_t events);
  /// What its threads did with their time in the period that look() found.
  const TimeUse& in_one() const { return in_one_; }
  /// So many periods of the work-group have passed.
  void passed(const LoopHead& head, std::uint64_t periods);

 private:
  struct Watch {
    LaunchId launch{};
    WorkGroupId number{};
    std::uint32_t ended = 0;
    std::optional<LoopHead> anchor;
    std::size_t deepest = kMostLoops - 1;
    std::uint64_t heads_passed = 0;
    std::uint64_t patience = 0;
    std::uint64_t looks = 0;
    std::uint64_t next_reference = 1;
    std::uint64_t next_look = 0;  ///< in events
    std::uint64_t pause = 0;      ///< the same, when something was seen
    bool has_reference = false;
    LoopState reference;
    TimeUse use;
  };

  Watch& watch_of(const LoopHead& head);

  const Execution& execution_;
  std::vector<Watch> watches_;  ///< by group
  LoopState state_;
  TimeUse in_one_;
};

}  // namespace gdsim
