#pragma once

#include <gdsim/record/observer.hpp>
#include <gdsim/record/timeline.hpp>

#include <cstdint>
#include <vector>

namespace gdsim {

/// The residency of one core, in a compact form: a run keeps millions of them.
struct CoreResidency {
  std::uint32_t threads = 0;
  std::uint32_t running = 0;
  std::uint32_t work_groups = 0;
  Bytes slm;

  std::uint32_t stalled() const { return threads - running; }
};

/// From `time` on, `core` is in this state.
struct CorePoint {
  SimTime time;
  CoreId core{};
  CoreResidency resident;
};

/// The residency of every core over time as exact change points, ordered by time, then core. It begins with one point
/// for every core at the first dispatch.
class CoreTimeline : public Observer {
 public:
  explicit CoreTimeline(std::uint32_t cores) : now_(cores), written_(cores) {}

  Detail detail() const override { return Detail::everything; }
  void on_instant(const Instant& now) override;
  const ChangePoints<CorePoint>& points() const { return points_; }

 private:
  std::vector<Residency> now_;
  std::vector<Residency> written_;
  std::vector<CoreId> touched_;
  ChangePoints<CorePoint> points_;
};

}  // namespace gdsim
