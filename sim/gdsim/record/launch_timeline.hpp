#pragma once

#include <gdsim/record/counts.hpp>
#include <gdsim/record/observer.hpp>

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
  const std::vector<LaunchPoint>& points() const { return points_; }

 private:
  std::vector<Residency> now_;
  std::vector<Residency> written_;
  std::vector<LaunchId> touched_;
  std::vector<LaunchPoint> points_;
};

}  // namespace gdsim
