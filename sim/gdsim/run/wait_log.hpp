#pragma once

#include <gdsim/record/segment.hpp>
#include <gdsim/record/wait_series.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace gdsim {

/// Hands the waits of a run to those who keep them over time. While a period is recorded it remembers them, so that
/// they recur with the period. Costs nothing if nobody keeps them.
class WaitLog {
 public:
  /// Who records periods.
  enum class Watch : std::uint8_t { work_groups, loops };

  /// They must outlive this.
  explicit WaitLog(std::vector<WaitSeries*> series) : series_(std::move(series)) {}

  bool is_on() const { return !series_.empty(); }
  /// The first dispatch.
  void start(Picoseconds time) {
    for (WaitSeries* one : series_) one->start(time);
  }
  void add(const WaitSpan& span) {
    for (WaitSeries* one : series_) one->add(span);
    if (is_recording()) recorded_.push_back(span);
  }

  /// Remembers so many, some 50 MB, that it is not worth recording.
  bool is_too_long() const { return recorded_.size() > std::size_t{1} << 18U; }

  /// From now on what is added belongs to a period.
  void record(Watch watch) {
    if (is_on()) first_[index(watch)] = recorded_.size();
  }
  void drop(Watch watch) {
    first_[index(watch)].reset();
    if (!is_recording()) recorded_.clear();
  }
  /// What was added since record() happens `count` times more, each time `period` later. What is recorded moves along.
  void repeat(Watch watch, std::uint64_t count, Picoseconds period) {
    const auto first = first_[index(watch)];
    if (!first || count == 0) return;
    const Picoseconds passed = times(period, count);
    for (std::size_t i = *first; i < recorded_.size(); ++i) {
      WaitSpan& span = recorded_[i];
      WaitSpan again = span;
      again.begin = again.begin + period;
      again.end = again.end + period;
      again.repeat(count, period);
      for (WaitSeries* one : series_) one->add(again);
      span.begin = span.begin + passed;
      span.end = span.end + passed;
    }
  }

 private:
  static std::size_t index(Watch watch) { return static_cast<std::size_t>(watch); }
  bool is_recording() const { return first_[0] || first_[1]; }

  std::vector<WaitSeries*> series_;
  std::vector<WaitSpan> recorded_;
  std::array<std::optional<std::size_t>, 2> first_;  ///< by watch: of recorded_, where its period begins
};

}  // namespace gdsim
