#pragma once

#include <gdsim/model/step_state.hpp>

#include <cstdint>
#include <functional>
#include <optional>

namespace gdsim {

/// The time and the ops of an iteration of a loop that a cohort executes independently of other work-groups. The cohort
/// must consist of all threads of its work-group and be at the end of the loop's body.
class IsolatedPath {
 public:
  IsolatedPath(const StepState& state, const Cohort& cohort);

  /// Returns the time of an iteration, or nullopt if it is not known in advance or affects other work-groups.
  std::optional<Duration> iteration_time() const { return time_of(end_); }
  /// Returns true if an iteration uses a resource that is shared with other work-groups of the core.
  bool needs_core() const;
  /// Returns the time of the op, or nullopt under the conditions of iteration_time().
  std::optional<Duration> op_time(std::uint32_t op) const;

  /// Calls `visit(op, times)` for each op of an iteration. `times` is the number of its executions, those in inner
  /// loops included. Exact if iteration_time() is known.
  using Visit = std::function<void(std::uint32_t op, std::uint64_t times)>;
  void visit_iteration(const Visit& visit) const { visit_iteration(end_, visit); }
  /// Advances `cohort`, which must be at the position of this path's cohort, by `time` in another iteration. Calls
  /// `skipped(op, times)` for the skipped ops. Returns the time that the cohort has spent in its new op.
  Duration go_into_iteration(Cohort& cohort, Duration time, const Visit& skipped) const;
  /// Returns the end of the largest loop that begins with the op `first` and ends before `end`, or nullopt.
  std::optional<std::uint32_t> loop_from(std::uint32_t first, std::uint32_t end) const;
  /// Returns the time of an iteration of the loop with this end, which must be known.
  Duration iteration_time_of(std::uint32_t loop_end) const { return *time_of(loop_end); }
  const ProgramPlan& plan() const { return plan_; }

 private:
  void visit_iteration(std::uint32_t loop_end, const Visit& visit) const;
  std::optional<Duration> time_of(std::uint32_t loop_end) const;
  bool signals_enough(const Op& wait) const;

  const StepState& state_;
  const Cohort& cohort_;
  const ProgramPlan& plan_;
  std::uint32_t end_;
};

}  // namespace gdsim
