#pragma once

#include <gdsim/analysis/run_view.hpp>
#include <gdsim/base/decimal.hpp>
#include <gdsim/base/quantity.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gdsim {

/// Builds the `d` of an SVG path from whole numbers, in a short form.
class PathData {
 public:
  PathData& move(std::uint64_t x, std::uint64_t y);
  PathData& across(std::uint64_t x);  ///< to this x
  PathData& down(std::uint64_t y);    ///< to this y
  PathData& line(std::uint64_t x, std::uint64_t y);
  PathData& close();
  /// A saw-tooth along the right side of a shape that had not ended.
  PathData& torn_edge(std::uint64_t right, std::uint64_t top, std::uint64_t bottom);
  PathData& box(std::uint64_t left, std::uint64_t top, std::uint64_t right, std::uint64_t bottom);

  const std::string& text() const { return text_; }
  bool empty() const { return text_.empty(); }

 private:
  std::string text_;
};

/// `<path class="NAME" d="..."/>`. Empty if there is nothing to draw.
std::string path_element(std::string_view name, const PathData& data);

/// The width of the horizontal axis of every picture of a run: the units from the run's start to its end. Browsers draw
/// in 24 bits, which hold this many units exactly, and pages zoom into them.
inline constexpr std::uint64_t kPlotWidth = 10'000'000;
static_assert(kPlotWidth < (1U << 24U), "browsers draw in numbers of 24 bits, which hold every place on the axis");

/// A position on an axis, in units of the plot, and its label.
struct Tick {
  std::uint64_t at = 0;
  std::string label;
};

/// Maps simulated time to 0 ... kPlotWidth, rounded to the nearest unit.
class TimeScale {
 public:
  /// `end` must be after `start`.
  TimeScale(SimTime start, SimTime end);

  SimTime start() const { return start_; }
  SimTime end() const { return end_; }
  std::uint64_t x(SimTime time) const;
  /// Returns at most `max` + 1 round times (1, 2 or 5 times a power of ten), fewer if their labels are long. All have
  /// one unit, and as many decimals as distinguish them.
  std::vector<Tick> ticks(std::size_t max) const;

 private:
  SimTime start_;
  SimTime end_;
};

/// Maps threads to whole units of height, exactly, with room for fractions on small devices.
class ThreadScale {
 public:
  explicit ThreadScale(std::uint64_t capacity) : ThreadScale(capacity, capacity) {}
  /// Only the part up to `shown` threads is visible.
  ThreadScale(std::uint64_t capacity, std::uint64_t shown)
      : capacity_(capacity), factor_(capacity < 2'000 ? 2'000 / capacity : 1), shown_(shown) {}

  std::uint64_t capacity() const { return capacity_; }
  std::uint64_t shown() const { return shown_; }
  std::uint64_t height() const { return capacity_ * factor_; }
  /// The units above the visible part.
  std::uint64_t top() const { return (capacity_ - shown_) * factor_; }
  /// The distance from the top: 0 is a full device.
  std::uint64_t y(std::uint64_t threads) const { return height() - threads * factor_; }
  /// The same for the mean of `integral`, in thread-picoseconds, over `span`.
  std::uint64_t y_of_mean(UInt128 integral, Duration span) const;

 private:
  std::uint64_t capacity_;
  std::uint64_t factor_;
  std::uint64_t shown_;
};

/// The range of the axis of threads in figures of a run.
struct ThreadAxis {
  std::uint64_t top = 0;  ///< threads
  /// `top` in percent of the device's contexts.
  Decimal percent = Decimal::whole(100);

  bool is_whole_device() const { return compare(percent, Decimal::whole(100)) == 0; }
};

/// The whole device. If at most a fifth of it is ever held: the smallest of 20, 10, 5, 2, 1, ... percent that holds all
/// that is drawn.
ThreadAxis fitted_axis(const RunView& view);
/// The fitted axis if `view.scale` asks for it, else the whole device.
ThreadAxis thread_axis(const RunView& view);

}  // namespace gdsim
