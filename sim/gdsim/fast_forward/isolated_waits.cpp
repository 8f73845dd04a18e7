#include <gdsim/fast_forward/isolated_waits.hpp>

#include <gdsim/model/steps/operation_catalog.hpp>
#include <gdsim/record/segment.hpp>

#include <algorithm>
#include <array>
#include <cstddef>

namespace gdsim {
namespace {

/// Visits the ops of loops in order, all iterations of an inner loop at once.
class IsolatedWaits {
 public:
  IsolatedWaits(StepState& state, const IsolatedPath& path, const Cohort& cohort, Duration time)
      : state_(state), path_(path), cohort_(cohort), at_(cohort.since), end_(cohort.since + time) {}

  /// Visits all iterations that are over before the end, and the beginning of the next one.
  void go_through(std::uint32_t loop_end) {
    const Duration iteration = path_.iteration_time_of(loop_end);
    iterate(loop_end, static_cast<std::uint64_t>((end_ - at_).count / iteration.count));
    go_through_ops(loop_end);
  }

 private:
  /// Visits `count` iterations of the loop, which must all be over before the end.
  void iterate(std::uint32_t loop_end, std::uint64_t count) {
    if (count == 0) return;
    const SimTime begin = at_;
    const Duration iteration = path_.iteration_time_of(loop_end);
    around_[depth_++] = {count, iteration};
    const SimTime end = end_;
    end_ = begin + iteration;
    go_through_ops(loop_end);
    end_ = end;
    --depth_;
    at_ = begin + times(iteration, count);
  }

  /// Visits the part of one iteration of the loop that is over before the end.
  void go_through_ops(std::uint32_t loop_end) {
    for (std::uint32_t i = path_.plan().op(loop_end).target; i < loop_end && at_ < end_; ++i) {
      if (const auto inner = path_.loop_from(i, loop_end)) {
        const std::uint64_t all = path_.plan().op(*inner).count;
        const std::int64_t iteration = path_.iteration_time_of(*inner).count;
        const std::uint64_t whole =
            iteration == 0 ? all : std::min(all, static_cast<std::uint64_t>((end_ - at_).count / iteration));
        iterate(*inner, whole);
        if (whole < all) return go_through_ops(*inner);
        i = *inner;
        continue;
      }
      const Duration needed = *path_.op_time(i);
      if (end_ - at_ < needed) return;
      add(i, needed);
      at_ = at_ + needed;
    }
  }

  void add(std::uint32_t op, Duration time) {
    const std::int64_t executing = Programs::amount(state_.residents[cohort_.group], cohort_, op);
    if (executing >= time.count) return;
    const TimeKind waiting = waiting_of(path_.plan().op(op).kind);
    WaitSpan span{at_, at_ + time, time.count - executing, cohort_.on_core.threads, column_of(waiting), 0, {}};
    for (std::size_t i = depth_; i-- > 0;) span.repeat(around_[i].count, around_[i].period);
    state_.waits.add(span);
  }

  StepState& state_;
  const IsolatedPath& path_;
  const Cohort& cohort_;
  SimTime at_;
  SimTime end_;
  std::array<WaitSpan::Repeat, kMaxLoops> around_{};  ///< loops that are iterated, the outermost first
  std::size_t depth_ = 0;
};

}  // namespace

void add_isolated_waits(StepState& state, const IsolatedPath& path, const Cohort& cohort, Duration time) {
  if (state.waits.is_on() && time.count > 0) IsolatedWaits(state, path, cohort, time).go_through(cohort.at);
}

}  // namespace gdsim
