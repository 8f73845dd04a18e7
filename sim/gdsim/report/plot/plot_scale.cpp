#include <gdsim/report/plot/plot_scale.hpp>

#include <gdsim/base/check.hpp>

namespace gdsim {
namespace {

/// The least of 1, 2, 5, 10, 20, ... that goes into `span` at most `most` times.
std::int64_t round_step(std::int64_t span, std::int64_t most) {
  for (std::int64_t power = 1;; power *= 10)
    for (const std::int64_t factor : {1, 2, 5}) {
      const Int128 step = Int128{power} * factor;
      if (step * most >= span || step > span) return static_cast<std::int64_t>(step);
    }
}

}  // namespace

TimeScale::TimeScale(Picoseconds start, Picoseconds end) : start_(start), end_(end) {
  GDSIM_CHECK(start < end, "a time scale needs some time");
}

std::uint64_t TimeScale::x(Picoseconds time) const {
  const auto span = static_cast<UInt128>((end_ - start_).count);
  const auto passed = static_cast<UInt128>((time - start_).count);
  return static_cast<std::uint64_t>((2 * passed * kPlotWidth + span) / (2 * span));
}

std::vector<Tick> TimeScale::ticks(std::size_t most) const {
  const std::int64_t step = round_step((end_ - start_).count, static_cast<std::int64_t>(most));
  std::vector<Tick> ticks;
  Int128 at = (Int128{start_.count} + step - 1) / step * step;
  for (; at <= end_.count; at += step) {
    const Picoseconds time{static_cast<std::int64_t>(at)};
    ticks.push_back({x(time), to_text(time)});
  }
  return ticks;
}

std::uint64_t ThreadScale::y_of_mean(UInt128 integral, Picoseconds time) const {
  const auto span = static_cast<UInt128>(time.count);
  return height() - static_cast<std::uint64_t>((2 * integral * factor_ + span) / (2 * span));
}

}  // namespace gdsim
