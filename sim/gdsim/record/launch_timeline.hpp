#pragma once

#include <gdsim/record/counts.hpp>
#include <gdsim/record/observer.hpp>
#include <gdsim/record/points.hpp>

#include <vector>

namespace gdsim {

/// From `time` on, `launch` is in this state.
struct LaunchPoint {
  Picoseconds time;
  LaunchId launch{};
  Residency resident;
};

/// Every launch over time as exact change-points, ordered by time, then launch.
class LaunchTimeline : public Observer {
 public:
  explicit LaunchTimeline(std::size_t launches) : now_(launches), written_(launches) {}

  void instant(Picoseconds time, std::span<const Fact> facts) override;
  bool sees_handovers() const override { return false; }
  /// The timeline holds it once.
  void repeated(const Segment& segment, std::uint64_t count) override;
  std::uint64_t most_repetitions(const Segment&) const override { return kAnyNumber; }
  const Points<LaunchPoint>& points() const { return points_; }

 private:
  std::vector<Residency> now_;
  std::vector<Residency> written_;
  std::vector<LaunchId> touched_;
  Points<LaunchPoint> points_;
};

}  // namespace gdsim
