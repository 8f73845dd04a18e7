#include <gdsim/analysis/bins.hpp>

#include <gdsim/base/check.hpp>

#include <algorithm>

namespace gdsim {
namespace {

/// Walks levels along rising intervals.
class LevelWalk {
 public:
  explicit LevelWalk(std::span<const Level> levels) : levels_(levels) {}

  Bin over(SimTime start, SimTime end) {
    for (; next_ < levels_.size() && levels_[next_].time <= start; ++next_) value_ = levels_[next_].value;
    Bin bin{start, end, 0, value_, value_};
    SimTime at = start;
    for (; next_ < levels_.size() && levels_[next_].time < end; ++next_) {
      const Level& next = levels_[next_];
      bin.integral += UInt128{value_} * static_cast<std::uint64_t>((next.time - at).count);
      bin.min = std::min(bin.min, next.value);
      bin.max = std::max(bin.max, next.value);
      value_ = next.value;
      at = next.time;
    }
    bin.integral += UInt128{value_} * static_cast<std::uint64_t>((end - at).count);
    return bin;
  }

 private:
  std::span<const Level> levels_;
  std::size_t next_ = 0;
  std::uint64_t value_ = 0;
};

}  // namespace

std::vector<Bin> bins_of(std::span<const Level> levels, SimTime start, SimTime end, std::size_t count) {
  GDSIM_CHECK(start <= end && count > 0, "there is nothing to cut into bins");
  const std::int64_t span = (end - start).count;
  const std::int64_t bins = std::min(static_cast<std::int64_t>(count), span);
  const auto boundary = [&](std::int64_t i) {
    return start + Duration{static_cast<std::int64_t>(Int128{span} * i / bins)};
  };
  LevelWalk walk(levels);
  std::vector<Bin> result;
  for (std::int64_t i = 0; i < bins; ++i) result.push_back(walk.over(boundary(i), boundary(i + 1)));
  return result;
}

std::vector<Bin> bins_of_width(std::span<const Level> levels, SimTime start, SimTime end, Duration width) {
  GDSIM_CHECK(width.count > 0, "a bin needs a width");
  LevelWalk walk(levels);
  std::vector<Bin> result;
  for (SimTime at = start; at < end;) {
    const SimTime next = end - at > width ? at + width : end;
    result.push_back(walk.over(at, next));
    at = next;
  }
  return result;
}

}  // namespace gdsim
