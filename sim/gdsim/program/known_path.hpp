#pragma once

#include <gdsim/program/program_plan.hpp>
#include <gdsim/program/scaled_amount.hpp>

#include <cstdint>
#include <span>

namespace gdsim {

/// Returns true if the duration of a work-group of the plan, all its threads placed together, is known at its placement
/// and is not 0: it has only fixed times and barriers without cost, all its threads take the same path, and it does not
/// affect others.
bool has_known_path(const ProgramPlan& plan);

/// The path of threads through such a plan: when they reach each op, when they end, and in which op they are at a time
/// between. All times are picoseconds since their beginning, or kTimeOverflow.
class KnownPath {
 public:
  /// `amounts`: the work-group's, by op; `factor`: drawn for its threads. The plan and the amounts must outlive this.
  KnownPath(const ProgramPlan& plan, std::span<const std::int64_t> amounts, DrawnFactor factor)
      : ops_(plan.ops()), amounts_(amounts), factor_(factor) {}

  /// Returns true if the op takes time. Barriers of a known path, and its end, take none.
  static bool takes_time(const Op& op) { return op.kind == OpKind::compute; }

  /// Returns the time from the beginning to the end of the program.
  std::uint64_t duration() const { return time(0, ops_.size()); }
  /// Returns the time of all ops before this one.
  std::uint64_t time_before(std::uint32_t op) const { return time(0, op); }
  /// Returns the time of all ops after this one.
  std::uint64_t time_behind(std::uint32_t op) const { return time(op + std::size_t{1}, ops_.size()); }

  /// An op, the time when threads reach it, and the time when they leave it.
  struct Position {
    std::uint32_t op = 0;
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
  };
  /// Returns the op in which threads are after `elapsed`: the first that takes time and ends later. `elapsed` must be
  /// less than duration().
  Position position_at(std::uint64_t elapsed) const;

 private:
  std::uint64_t time(std::size_t first, std::size_t end) const {
    std::uint64_t sum = 0;
    for (std::size_t op = first; op < end; ++op)
      if (takes_time(ops_[op])) sum = saturating_add(sum, saturating_scale(amounts_[op], factor_));
    return sum;
  }

  std::span<const Op> ops_;
  std::span<const std::int64_t> amounts_;
  DrawnFactor factor_;
};

}  // namespace gdsim
