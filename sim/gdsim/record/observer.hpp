#pragma once

#include <gdsim/base/quantity.hpp>
#include <gdsim/record/facts.hpp>

#include <span>

namespace gdsim {

/// Someone who is told what happens in a run. Cannot influence it.
class Observer {
 public:
  virtual ~Observer() = default;

  /// Everything that happened at `time`, in the order in which it happened. Called once per instant, only
  /// if something happened, with rising times.
  virtual void instant(Picoseconds time, std::span<const Fact> facts) = 0;
};

}  // namespace gdsim
