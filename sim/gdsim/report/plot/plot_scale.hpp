#pragma once

#include <gdsim/base/decimal.hpp>
#include <gdsim/base/quantity.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace gdsim {

/// Every picture of a run has the same horizontal axis: time, in so many units from start to end. As many as are exact
/// in the 24 bits with which browsers draw: pages zoom into them.
inline constexpr std::uint64_t kPlotWidth = 10'000'000;
static_assert(kPlotWidth < (1U << 24U), "browsers draw in numbers of 24 bits, which hold every place on the axis");

/// A place on an axis, in units of the plot, with what stands there.
struct Tick {
  std::uint64_t at = 0;
  std::string label;
};

/// Maps simulated time to 0 ... kPlotWidth, rounded to the nearest unit.
class TimeScale {
 public:
  /// `end` is after `start`.
  TimeScale(SimTime start, SimTime end);

  SimTime start() const { return start_; }
  SimTime end() const { return end_; }
  std::uint64_t x(SimTime time) const;
  /// Round times (1, 2 or 5 times a power of ten), at most `max` + 1 of them, fewer if their labels are long. All in
  /// one unit, with as many decimals as distinguish them.
  std::vector<Tick> ticks(std::size_t max) const;

 private:
  SimTime start_;
  SimTime end_;
};

/// Maps threads to whole units of height, exactly, with room for fractions on small devices.
class ThreadScale {
 public:
  explicit ThreadScale(std::uint64_t capacity) : ThreadScale(capacity, capacity) {}
  /// Of which only the part up to `shown` threads is in sight.
  ThreadScale(std::uint64_t capacity, std::uint64_t shown)
      : capacity_(capacity), factor_(capacity < 2'000 ? 2'000 / capacity : 1), shown_(shown) {}

  std::uint64_t capacity() const { return capacity_; }
  std::uint64_t shown() const { return shown_; }
  std::uint64_t height() const { return capacity_ * factor_; }
  /// The units above what is in sight.
  std::uint64_t top() const { return (capacity_ - shown_) * factor_; }
  /// From the top: 0 is a full device.
  std::uint64_t y(std::uint64_t threads) const { return height() - threads * factor_; }
  /// Of threads x picoseconds within a time.
  std::uint64_t y_of_mean(UInt128 integral, Duration span) const;

 private:
  std::uint64_t capacity_;
  std::uint64_t factor_;
  std::uint64_t shown_;
};

}  // namespace gdsim
