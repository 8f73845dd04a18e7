#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>

namespace gdsim::cli {

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
