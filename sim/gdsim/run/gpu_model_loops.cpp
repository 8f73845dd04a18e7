#include <gdsim/run/gpu_model.hpp>

#include <algorithm>
#include <limits>

// While nobody comes or goes and everyone who does something is in a loop, what happens repeats. Whole periods then
// pass at once: exactly, for the state recurs, and all that follows from it up to the end of a loop or whatever else
// is pending. Cores and the dispatcher have no part in it: they count from their last change.

namespace gdsim {
namespace {

/// An inner loop that saves less than so many times what it costs is left for the one around it.
constexpr std::uint64_t kWorthwhile = 16;
/// A period of work-groups that is being recorded is left to its end, unless that may take long.
constexpr std::uint64_t kLong = 100'000;

}  // namespace

void GpuModel::look_for_rounds(Picoseconds now) {
  const bool at_loop_head = execution_.take_loop_head();
  if (turn_was_taken_ || comings_and_goings_ != execution_.comings_and_goings()) {
    comings_and_goings_ = execution_.comings_and_goings();
    loops_.restart();
    execution_.choose_loop_anew();
    return;
  }
  loops_.see(now, facts_);
  const bool was_recording = loops_.is_recording();
  if (loops_.has_recurred(now, at_loop_head, events_)) pass_rounds();
  if (!was_recording && loops_.is_recording()) waits_.record(WaitLog::Watch::loops);
}

/// Waits are remembered as long as a period that they belong to is recorded, unless there are too many.
void GpuModel::forget_waits() {
  if (waits_.is_too_long()) {
    loops_.restart();
    look_anew();
  }
  if (!loops_.is_recording()) waits_.drop(WaitLog::Watch::loops);
  if (!periods_.is_recording()) waits_.drop(WaitLog::Watch::work_groups);
}

void GpuModel::pass_rounds() {
  const LoopPeriod& period = loops_.period();
  Picoseconds bound{std::numeric_limits<std::int64_t>::max()};
  if (control_.bounds.time) bound = *control_.bounds.time;
  std::uint64_t count = execution_.rounds_to_pass(period, bound);
  if (count < kWorthwhile) execution_.choose_outer_loop();
  if (count == 0 || (periods_.is_recording() && count < kLong)) return;
  if (periods_.is_recording()) look_anew();
  const std::uint64_t all = count;
  Segment& segment = loops_.segment();
  while (count > 0 && !is_to_stop()) {
    std::uint64_t some = count;
    if (segment.size() > 0)
      for (const Observer* observer : observers_) some = std::min(some, observer->most_repetitions(segment));
    count -= some;
    if (segment.size() == 0) continue;
    for (Observer* observer : observers_) observer->repeated(segment, some);
    segment.move(some);
  }
  execution_.pass_rounds(period, all - count, loops_.time_use_before());
  waits_.repeat(WaitLog::Watch::loops, all - count, period.time);
}

}  // namespace gdsim
