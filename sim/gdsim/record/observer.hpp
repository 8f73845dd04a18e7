#pragma once

#include <gdsim/base/quantity.hpp>
#include <gdsim/record/facts.hpp>
#include <gdsim/record/segment.hpp>

#include <cstdint>
#include <span>

namespace gdsim {

/// Someone who is told what happens in a run. Cannot influence it.
class Observer {
 public:
  virtual ~Observer() = default;

  /// Everything that happened at `time`, in the order in which it happened. Called once per instant, only
  /// if something happened, with rising times.
  virtual void instant(Picoseconds time, std::span<const Fact> facts) = 0;

  /// Launches that begin or end at `time`, copies among them, in the order in which it happened. Called before
  /// `instant()` of that time, which may not come if only copies changed. By default nobody cares.
  virtual void launches(Picoseconds, std::span<const LaunchFact>) {}

  /// Whether it is told of instants at which work-groups only hand their places to others of their launch, whole, which
  /// changes no count of any core. If nobody is, handed_on() may sum them up.
  virtual bool sees_handovers() const { return true; }
  /// So many work-groups have ended, and their places gone to the next, at instants that were not told.
  virtual void handed_on(std::uint64_t) {}

  /// What `segment` tells, of which every instant was told before, happens `count` times more, at least once: each
  /// time moved once more by its shift. By default every repetition is told, instant by instant: that costs what it
  /// would without skipping.
  virtual void repeated(const Segment& segment, std::uint64_t count);

  /// How many repetitions of `segment` it may be told of at once: between them, the run looks whether it is to stop.
  /// By default few enough to be told one by one in a moment.
  virtual std::uint64_t most_repetitions(const Segment& segment) const;

 protected:
  static constexpr std::uint64_t kAnyNumber = ~std::uint64_t{0};

  /// Tells it of every instant of the repetitions `first` to `last`, counted from 1.
  void replay(const Segment& segment, std::uint64_t first, std::uint64_t last);
};

}  // namespace gdsim
