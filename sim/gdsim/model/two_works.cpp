#include <gdsim/model/two_works.hpp>

#include <utility>

namespace gdsim {
namespace {

/// The progress while neither work is done.
constexpr std::uint64_t kNone = 0;

/// Returns the progress after one work is done, `elapsed` after the beginning of the step.
std::uint64_t first_done(Duration elapsed, bool is_pipe) {
  return 2 * (static_cast<std::uint64_t>(elapsed.count) + 1) + (is_pipe ? 1 : 0);
}

bool is_pipe_done(std::uint64_t progress) { return progress % 2 == 1; }

}  // namespace

std::optional<TimeKind> end_work(StepState& state, Cohort& cohort, std::uint32_t resource) {
  const Duration elapsed = state.now() - cohort.since;
  const bool is_pipe = state.resources.is_slm(resource);
  const std::uint64_t first = std::exchange(cohort.step_progress, kNone);
  if (first == kNone) {
    cohort.step_progress = first_done(elapsed, is_pipe);
    return std::nullopt;
  }
  return is_pipe && first != first_done(elapsed, false) ? TimeKind::slm : TimeKind::issue;
}

std::optional<std::uint32_t> done_work(const Cohort& cohort) {
  if (cohort.step_progress == kNone) return std::nullopt;
  return is_pipe_done(cohort.step_progress) ? cohort.at - 1 : cohort.at;
}

TimeKind waiting_in_two_works(const Cohort& cohort) {
  return cohort.step_progress == kNone || is_pipe_done(cohort.step_progress) ? TimeKind::issue : TimeKind::slm;
}

}  // namespace gdsim
