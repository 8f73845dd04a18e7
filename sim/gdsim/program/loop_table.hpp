#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace gdsim {

struct Op;

/// The positions of a flat program's loops. Loops are named by their `loop_end` op. A query costs the depth of nested
/// loops, not the length of the program.
class LoopTable {
 public:
  LoopTable() = default;
  LoopTable(std::span<const Op> ops, std::size_t barriers);

  /// Returns the innermost loop around the op, or nullopt. A `loop_end` belongs to its own loop.
  std::optional<std::uint32_t> around(std::uint32_t op) const { return loop_or_none(around_[op]); }
  /// Returns the next loop around this one, or nullopt.
  std::optional<std::uint32_t> outside(std::uint32_t loop_end) const { return loop_or_none(outside_[loop_end]); }
  /// Returns the outermost loop that begins with the op and ends before `end`, or nullopt.
  std::optional<std::uint32_t> begins_at(std::uint32_t op, std::uint32_t end, std::span<const Op> ops) const;
  /// Returns the first op from `op` on at which threads arrive at the barrier, or nullopt.
  std::optional<std::uint32_t> next_arrival(std::uint32_t barrier, std::uint32_t op) const;

  /// Returns ops in an outermost loop whose phase numbers determine those of all its arrivals and waits: one for each
  /// barrier and each way in which the phase number grows with the iterations of the loops.
  std::span<const std::uint32_t> phase_witnesses(std::uint32_t outermost) const { return list(phases_, outermost); }
  /// Returns ops in an outermost loop whose numbers determine the precedence at all its ops.
  std::span<const std::uint32_t> precedence_witnesses(std::uint32_t outermost) const {
    return list(precedence_, outermost);
  }

 private:
  static constexpr std::uint32_t kNone = 0xFFFF'FFFF;

  /// Lists by outermost loop, one after the other.
  struct Witnesses {
    std::vector<std::uint32_t> ops;
    std::vector<std::uint32_t> begins;  ///< by loop, in the order of the program; one more after the last
  };

  static std::optional<std::uint32_t> loop_or_none(std::uint32_t loop) {
    return loop == kNone ? std::nullopt : std::optional(loop);
  }
  std::span<const std::uint32_t> list(const Witnesses& witnesses, std::uint32_t outermost) const;
  void add_witnesses(std::span<const Op> ops, std::uint32_t outermost);

  std::vector<std::uint32_t> around_;     ///< by op
  std::vector<std::uint32_t> outside_;    ///< by op; kNone except for a loop_end inside another loop
  std::vector<std::uint32_t> outermost_;  ///< ascending
  Witnesses phases_;
  Witnesses precedence_;
  std::vector<std::vector<std::uint32_t>> arrivals_;  ///< by barrier: ops, ascending
};

}  // namespace gdsim
