#include <gdsim/analysis/bins.hpp>

#include <gdsim/base/check.hpp>

#include <algorithm>

namespace gdsim {
namespace {

/// Walks levels along rising intervals. It handles whole repetitions of a repeated piece in one step.
class LevelWalk {
 public:
  explicit LevelWalk(ChangePointsView<Level> levels) : next_(levels.begin()), end_(levels.end()) {}

  Bin over(SimTime start, SimTime end) {
    pass_until(start);
    Bin bin{start, end, 0, value_, value_};
    SimTime at = start;
    while (next_ != end_ && (*next_).time < end) {
      const Level next = *next_;
      bin.integral += UInt128{value_} * static_cast<std::uint64_t>((next.time - at).count);
      at = next.time;
      if (const std::uint64_t repetitions = next_.repetitions_to_skip(end); repetitions > 0) {
        add_repetitions(bin, repetitions);
        at = (*next_).time;
        continue;
      }
      take(bin, next.value);
      ++next_;
    }
    bin.integral += UInt128{value_} * static_cast<std::uint64_t>((end - at).count);
    return bin;
  }

 private:
  void take(Bin& bin, std::uint64_t value) {
    value_ = value;
    bin.min = std::min(bin.min, value);
    bin.max = std::max(bin.max, value);
  }

  void add_repetitions(Bin& bin, std::uint64_t repetitions) {
    const auto repetition = next_.repetition();
    UInt128 integral = 0;
    for (std::size_t i = 0; i < repetition.points.size(); ++i) {
      const bool is_last = i + 1 == repetition.points.size();
      const SimTime until =
          is_last ? repetition.points.front().time + repetition.period : repetition.points[i + 1].time;
      take(bin, repetition.points[i].value);
      integral += UInt128{value_} * static_cast<std::uint64_t>((until - repetition.points[i].time).count);
    }
    bin.integral += integral * repetitions;
    next_.skip_repetitions(repetitions);
  }

  void pass_until(SimTime time) {
    while (next_ != end_ && (*next_).time <= time) {
      if (const std::uint64_t repetitions = next_.repetitions_to_skip(time); repetitions > 0) {
        value_ = next_.repetition().points.back().value;
        next_.skip_repetitions(repetitions);
      } else {
        value_ = (*next_).value;
        ++next_;
      }
    }
  }

  ChangePointsView<Level>::Iterator next_;
  ChangePointsView<Level>::Iterator end_;
  std::uint64_t value_ = 0;
};

}  // namespace

std::vector<Bin> bins_of(ChangePointsView<Level> levels, SimTime start, SimTime end, std::size_t count) {
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

std::vector<Bin> bins_of_width(ChangePointsView<Level> levels, SimTime start, SimTime end, Duration width) {
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
