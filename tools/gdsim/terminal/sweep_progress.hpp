#pragma once

#include <chrono>
#include <cstdint>

namespace gdsim::cli {

/// Shows on standard error, which must be a terminal, the number of completed points of a sweep, points per second, and
/// the time left. It appears after half a second, changes at most ten times a second, and is erased at the end.
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
  std::uint64_t first_ = 0;  ///< points done before
  bool is_first_ = true;
  bool is_shown_ = false;
};

}  // namespace gdsim::cli
