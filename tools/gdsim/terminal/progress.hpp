#pragma once

#include <gdsim/record/observer.hpp>
#include <gdsim/workload/workload.hpp>

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>

namespace gdsim::cli {

/// Shows the progress of a run on standard error, which must be a terminal: the share of completed work-groups, events
/// per second, and the time left at this rate; for a run with only copies, events per second. It appears after half a
/// second, changes at most ten times a second, and is erased at the end.
class ProgressLine : public Observer {
 public:
  explicit ProgressLine(const Workload& workload);
  ~ProgressLine() override;
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void on_instant(const Instant& now) override;

 private:
  using Clock = std::chrono::steady_clock;

  void show(Clock::time_point now, const Instant& run);

  std::uint64_t work_groups_ = 0;
  Clock::time_point begun_ = Clock::now();
  Clock::time_point next_ = begun_ + std::chrono::milliseconds(500);
  bool is_shown_ = false;
};

/// Shows on standard error, which is a terminal, how many of the points of a sweep, or of other things to do, are done,
/// how many per second where that is more than one, and the time left. Shows nothing in the first half second, and at
/// most ten times a second after that; leaves no trace.
class CountProgress {
 public:
  /// `things`: `points`.
  explicit CountProgress(std::string things) : things_(std::move(things)) {}
  ~CountProgress();
  CountProgress(const CountProgress&) = delete;
  CountProgress& operator=(const CountProgress&) = delete;

  void show(std::uint64_t done, std::uint64_t all);

 private:
  using Clock = std::chrono::steady_clock;

  std::string things_;
  Clock::time_point begun_ = Clock::now();
  Clock::time_point next_ = begun_ + std::chrono::milliseconds(500);
  std::uint64_t first_ = 0;  ///< done before
  bool is_first_ = true;
  bool is_shown_ = false;
};

}  // namespace gdsim::cli
