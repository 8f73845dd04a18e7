#pragma once

#include <chrono>
#include <cstdint>

namespace gdsim::cli {

/// Shows on standard error, which is a terminal, how many points of a sweep are done, how many per second, and the time
/// left. Shows nothing in the first half second, and at most ten times a second after that; leaves no trace.
class SweepProgress {
 public:
  SweepProgress() = default;
  ~SweepProgress();
  SweepProgress(const SweepProgress&) = delete;
  SweepProgress& operator=(const SweepProgress&) = delete;

  void show(std::uint64_t done, std::uint64_t all);

 private:
  using Clock = std::chrono::steady_clock;

  Clock::time_point begun_ = Clock::now();
  Clock::time_point next_ = begun_ + std::chrono::milliseconds(500);
  std::uint64_t first_ = 0;  ///< done before
  bool is_first_ = true;
  bool is_shown_ = false;
};

}  // namespace gdsim::cli
