#pragma once

#include <gdsim/record/observer.hpp>
#include <gdsim/record/timeline.hpp>

#include <cstdint>
#include <vector>

namespace gdsim {

/// The residency of one launch, without the allocated SLM, which is counted by core.
struct LaunchResidency {
  std::uint64_t threads = 0;
  std::uint64_t running = 0;
  std::uint64_t work_groups = 0;

  std::uint64_t stalled() const { return threads - running; }
  friend bool operator==(const LaunchResidency&, const LaunchResidency&) = default;
};

/// From `time` on, `launch` is in this state.
struct LaunchPoint {
  SimTime time;
  LaunchId launch{};
  LaunchResidency resident;
};

/// The residency of every launch over time as exact change points, ordered by time, then launch.
class LaunchTimeline : public Observer {
 public:
  explicit LaunchTimeline(std::size_t launches) : now_(launches), written_(launches) {}

  Detail detail() const override { return Detail::everything; }
  void on_instant(const Instant& now) override;
  const ChangePoints<LaunchPoint>& points() const { return points_; }

 private:
  std::vector<Residency> now_;
  std::vector<LaunchResidency> written_;
  std::vector<LaunchId> touched_;
  ChangePoints<LaunchPoint> points_;
};

}  // namespace gdsim
