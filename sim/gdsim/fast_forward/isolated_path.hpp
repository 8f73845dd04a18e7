#pragma once

#include <gdsim/model/step_state.hpp>

#include <cstdint>
#include <functional>
#include <optional>

namespace gdsim {

/// A loop that a cohort, all threads of its work-group, executes without regard to other work-groups: how long an
/// iteration takes, and what lies in it. The cohort stands at the end of the loop's body.
class IsolatedPath {
 public:
  IsolatedPath(const StepState& state, const Cohort& cohort);

  /// How long an iteration takes; nothing if that is not known beforehand, or if something is seen of it.
  std::optional<Duration> iteration_time() const { return time_of(end_); }
  /// Something in it is shared with other work-groups of the core.
  bool needs_core() const;
  /// How long the op takes.
  std::optional<Duration> op_time(std::uint32_t op) const;

  /// Calls `visit(op, times)` for what an iteration consists of, and how often, those of inner loops multiplied:
  /// exactly if iteration_time() is known.
  using Visit = std::function<void(std::uint32_t op, std::uint64_t times)>;
  void visit_iteration(const Visit& visit) const { visit_iteration(end_, visit); }
  /// Moves `cohort`, which is where this path's is, `time` far into another iteration: `skipped(op, times)` gets
  /// what of that it has behind it. Returns how long it has been at the op at which it then is.
  Duration go_into_iteration(Cohort& cohort, Duration time, const Visit& skipped) const;
  /// The end of the largest loop that begins with the op `first` and ends before `end`.
  std::optional<std::uint32_t> loop_from(std::uint32_t first, std::uint32_t end) const;
  /// How long an iteration of the loop with this end takes, which must be known.
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
