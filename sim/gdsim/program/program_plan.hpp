#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/program/instruction_cycles.hpp>
#include <gdsim/workload/kernel.hpp>
#include <gdsim/workload/program.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace gdsim {

/// Return positions among the counts of a program. Arrivals at barriers are counted separately from waits for them.
inline constexpr std::uint32_t arrivals_at(std::uint32_t barrier) { return 2 * barrier; }
inline constexpr std::uint32_t waits_at(std::uint32_t barrier) { return 2 * barrier + 1; }

/// A number of arrivals or waits of a thread.
struct PhaseCount {
  std::uint32_t at = 0;  ///< arrivals_at() or waits_at() of a barrier
  std::uint64_t count = 0;
};

/// A step `tiles` on the path of threads of one role: where its ops are.
struct TileStep {
  std::uint32_t number = 0;  ///< number among the program's steps `tiles`, from 0
  std::uint64_t count = 0;   ///< tiles
  TileTake take{};
  TileTaker per{};
  std::uint32_t first_of_part = 0;       ///< the first thread of the role's part, see drift_parts()
  std::uint32_t leave_op = 0;            ///< the cost of a take that finds no tile; the program continues after it
  std::vector<std::uint32_t> first_ops;  ///< by body: the cost of the take; the body's steps begin after it
  std::vector<std::vector<PhaseCount>> phases;                ///< by body: the thread's arrivals and waits in it
  std::shared_ptr<const std::vector<std::uint32_t>> of_tile;  ///< see Tiles::of_tile

  std::uint32_t body_of(std::uint64_t tile) const { return of_tile->empty() ? 0 : (*of_tile)[tile]; }

  /// Returns the next tile, after `taken` tiles, of this one of `takers` takers, in a list whose tiles are assigned by
  /// number; nullopt: it has no more.
  std::optional<std::uint64_t> next_by_number(std::uint64_t taker, std::uint64_t takers, std::uint64_t taken) const {
    if (taker >= count || taken > (count - 1 - taker) / takers) return std::nullopt;
    return taker + taken * takers;
  }
};

struct PlannedOp;
struct RolePath;

/// The maximum depth of nested loops.
inline constexpr std::size_t kMaxLoops = 4;

enum class OpCode : std::uint8_t {
  compute,            ///< busy for `amount` picoseconds
  issue,              ///< `amount` picoseconds of `pipe`
  part,               ///< no time: `amount` picoseconds of `pipe` that the next op `issue_parts` needs as well
  issue_parts,        ///< `amount` picoseconds of `pipe`, and of the pipes of the `parts` ops before at the same time
  slm,                ///< `amount` picoseconds of the core's banks
  atomics,            ///< `amount` picoseconds of the addresses that all work-groups have in common
  memory,             ///< `amount` bytes, `chunk` at a time
  load,               ///< the same, but threads continue at once
  store,              ///< `amount` bytes; threads continue at once, and need not wait
  wait_memory,        ///< wait for all loads but the last `outstanding`, or if it `awaits_stores`, for all stores
  barrier,            ///< arrive at the barrier `barrier` and wait for its end
  signal,             ///< arrive at `barrier`
  wait,               ///< wait for the end of `barrier`
  grid_barrier,       ///< arrive at the barrier `barrier` of all work-groups and wait for its end
  trigger,            ///< launches that wait for the work-group's trigger no longer do
  wait_dependencies,  ///< wait for the end of `barrier`, which is that of the preceding launches
  launch,  ///< the first threads to arrive launch the child `child`; if `awaits_child`, wait for the end of `barrier`
  take_tile,  ///< take the next tile: continue with its body, or, if none is left, after the bodies
  tile_cost,  ///< busy for `amount` picoseconds, which no factor changes: the cost of a take
  tile_end,   ///< back to `target`, where the next tile is taken
  loop_end,   ///< back to `target` until `count` iterations are done
  end         ///< of the thread
};

inline constexpr std::size_t kOpKindCount = static_cast<std::size_t>(OpCode::end) + 1;

/// What threads do after an op: a further op, their end, or what depends on their iterations and tiles.
enum class AfterOp : std::uint8_t { op, end, depends };

/// One operation of threads. Programs are flat, so a cohort's position in its program is one number.
struct Op {
  OpCode kind{};
  AfterOp after = AfterOp::op;  ///< known once the plan is complete
  std::uint8_t loops = 0;       ///< number of outermost loops, the last of which `per_iteration` counts
  std::uint8_t depth = 0;       ///< loop_end: which loop counter
  std::uint32_t target = 0;     ///< loop_end: the first op of the body; tile_end: the op at which the next take begins
  /// loop_end: iterations; tile_end: tiles of the list that have this body; wait: a thread's first so many pass at once
  std::uint64_t count = 0;
  /// barrier, signal, wait, grid_barrier, wait_dependencies: which of the program's BarrierNames; launch: after these
  std::uint32_t barrier = 0;
  std::uint32_t child = 0;           ///< launch: number among the work-group's children
  bool awaits_child = false;         ///< launch
  bool is_of_flag = false;           ///< signal, wait: of a flag of the launch
  std::uint32_t tiles = 0;           ///< take_tile, tile_end: number among the plan's tile steps
  std::uint32_t pipe = kIssueSlots;  ///< issue, part, issue_parts
  std::uint32_t parts = 0;           ///< issue_parts
  std::uint32_t multicast = 1;       ///< memory, load: see Memory
  std::int64_t chunk = 0;            ///< memory, load: bytes per request
  std::int64_t written = 0;          ///< memory, load: bytes that count for the sectors that it writes with each chunk
  std::int64_t unmerged = 0;         ///< memory, load: bytes of them that go to the last level by themselves
  bool is_repeated = false;          ///< it represents several iterations of a loop, which share evenly
  std::uint64_t outstanding = 0;     ///< wait_memory
  bool awaits_stores = false;        ///< wait_memory: a fence's, for stores; store: a fence may wait for it
  std::uint32_t step = 0;            ///< number of its step, in the order of writing, from 0
  std::uint32_t line = 0;            ///< where the user wrote it; 0: nowhere
  /// Number of earlier ops of the same thread, and of further ones per iteration of each loop around it. barrier,
  /// signal: arrivals at this barrier; wait: waits for it; memory, load, and issue, issue_parts: ops of either kind;
  /// slm: ops of this kind.
  std::uint64_t before = 0;
  std::array<std::uint64_t, kMaxLoops> per_iteration{};
};

/// Whether a work-group is placed on a core on which no thread of its launch has ended yet. Its amounts differ if the
/// kernel has a `first_wave`.
enum class Wave : std::uint8_t { later, first };

/// Returns true for work of a thread itself, neither arrival nor wait: a fixed time, or a share of issue slots, banks,
/// addresses or memory.
inline constexpr bool is_work(OpCode kind) {
  return kind == OpCode::compute || kind == OpCode::issue || kind == OpCode::slm || kind == OpCode::atomics ||
         kind == OpCode::memory || kind == OpCode::store;
}

/// Returns true if threads arrive at a barrier.
inline constexpr bool is_arrival(OpCode kind) {
  return kind == OpCode::barrier || kind == OpCode::signal || kind == OpCode::grid_barrier;
}

/// Returns true for ops that the global memory serves by bytes.
inline constexpr bool is_memory(OpCode kind) {
  return kind == OpCode::memory || kind == OpCode::load || kind == OpCode::store;
}

/// Returns true for ops at which some threads are served first and others last, see ShareWeight.
inline constexpr bool has_precedence(OpCode kind) {
  return kind == OpCode::memory || kind == OpCode::load || kind == OpCode::issue || kind == OpCode::issue_parts ||
         kind == OpCode::slm;
}

/// Threads that take the same path through the program, with the same precedence, from `first_thread` on.
struct Role {
  std::uint32_t first_thread = 0;
  std::uint32_t first_of_part = 0;  ///< the first thread of its part, see drift_parts()
  std::uint32_t first_op = 0;
};

/// A kernel's program for one device, ready to be executed: a list of ops for each path through it, and the amount of
/// each op for each work-group.
class ProgramPlan {
 public:
  /// The program must have no fault, see check_program().
  ProgramPlan(const Kernel& kernel, const DeviceSpec& device);

  std::size_t size() const { return ops_.size(); }
  std::span<const Op> ops() const { return ops_; }
  bool has_tiles() const { return !tile_steps_.empty(); }
  /// Returns true if single threads take tiles.
  bool takes_by_thread() const { return takes_by_thread_; }
  const TileStep& tile_step(const Op& op) const { return tile_steps_[op.tiles]; }
  /// Returns true if some thread has a memory step, asynchronous or not.
  bool has_memory() const { return has_memory_; }
  /// Returns true if some thread has a store.
  bool has_stores() const { return has_stores_; }
  /// Returns true if some thread has an op with precedence.
  bool has_precedence() const { return has_precedence_; }
  /// Returns true if each of several parts of a work-group draws its own factor.
  bool draws_by_part() const { return draws_by_part_; }
  const Op& op(std::uint32_t index) const { return ops_[index]; }
  /// Returns the roles by first thread, ascending; the first begins at thread 0.
  std::span<const Role> roles() const { return roles_; }
  std::size_t barrier_count() const { return names_.size(); }
  /// Returns the barrier whose end is the end of the child with this number, in the order of the program.
  std::uint32_t barrier_of_child(std::uint32_t child) const {
    return static_cast<std::uint32_t>(names_.size() - child_count_) + child;
  }
  bool is_of_child(std::uint32_t barrier) const { return barrier >= names_.size() - child_count_; }
  const std::string& barrier_name(std::uint32_t barrier) const { return names_[barrier]; }
  /// Returns the flags of the launch that the program signals or waits for, and the number of the first as a barrier:
  /// its phases are those of this work-group's part in the flag.
  std::span<const FlagName> flags() const { return flags_; }
  std::uint32_t first_flag() const { return static_cast<std::uint32_t>(names_.size() - child_count_ - flags_.size()); }
  bool is_flag(std::uint32_t barrier) const { return barrier >= first_flag() && !is_of_child(barrier); }
  /// Return true if some thread has a `barrier` step of this name; has_wait_step(): a `wait`.
  bool has_barrier_step(std::uint32_t barrier) const { return has_barrier_step_[barrier]; }
  bool has_wait_step(std::uint32_t barrier) const { return has_wait_step_[barrier]; }

  // Amounts are those under the device's clock with the given number (ClockSchedule); without a number, under the
  // first.

  /// Returns the amount of each op for this work-group, by index of the op: declared factors are included, drawn ones
  /// are not.
  std::span<const std::int64_t> amounts(WorkGroupId group, Wave wave = Wave::later, std::size_t clock = 0) const {
    const std::optional<std::size_t> declared = has_factors() ? declared_entry(group) : std::nullopt;
    const std::size_t row = declared ? row_of_declared_[*declared] : 0;
    const Amounts& all = by_clock_[clock];
    const auto& rows = wave == Wave::first && has_first_wave() ? all.first_wave_rows : all.rows;
    return std::span(rows).subspan(row * ops_.size(), ops_.size());
  }
  /// Returns the amount of the op for work-groups without a declared factor, not of the first wave.
  std::int64_t amount_without_factors(std::uint32_t op, std::size_t clock = 0) const {
    return by_clock_[clock].rows[op];
  }
  /// Returns true if some work-group has a declared factor.
  bool has_factors() const { return by_clock_.front().rows.size() > ops_.size(); }
  /// Returns true if work-groups of the first wave have their own amounts.
  bool has_first_wave() const { return !by_clock_.front().first_wave_rows.empty(); }
  /// Returns true if the work-group's factor was declared: nothing is drawn for it.
  bool is_declared(WorkGroupId group) const { return has_factors() && declared_entry(group).has_value(); }

  /// Returns the number of `threads` threads that arrive at this barrier: all at the nameless one, none at a child's.
  std::uint64_t participants(std::uint32_t barrier, std::uint32_t threads) const;
  /// Returns the barrier of all work-groups of a launch, and the one that opens with the end of the preceding launches;
  /// nullopt: no thread waits there.
  std::optional<std::uint32_t> grid_barrier() const { return grid_barrier_; }
  std::optional<std::uint32_t> dependencies_barrier() const { return dependencies_barrier_; }
  /// Returns the time from the last arrival at a barrier of `threads` threads to its opening.
  Duration barrier_cost(std::uint32_t threads, std::size_t clock = 0) const;

 private:
  /// Amounts of ops, and costs of barriers, under one clock.
  struct Amounts {
    std::vector<std::int64_t> rows;             ///< the row of factor 1, then one for each different declared factor
    std::vector<std::int64_t> first_wave_rows;  ///< the same of the first wave; empty: it is like the others
    Duration barrier_base;
    Duration barrier_per_thread;
  };

  void add_role(const Kernel& kernel, RolePath& role, std::vector<PlannedOp>& planned_ops);
  /// Notes which kinds of ops there are, once there are all.
  void note_kinds_of_ops();
  /// Notes in each op what comes after it, and which loops it counts.
  void note_surroundings_of_ops();
  /// The amounts with each of these factors. The device's clock is that of the amounts.
  static Amounts amounts_on(const DeviceSpec& device, const Kernel& kernel, const std::vector<WorkGroupFactor>& factors,
                            const std::vector<PlannedOp>& planned_ops);
  /// Returns the position of the work-group in `declared_`, or nullopt. There must be at least one factor.
  std::optional<std::size_t> declared_entry(WorkGroupId group) const;

  std::vector<std::string> names_;
  std::vector<FlagName> flags_;
  std::size_t child_count_;  ///< children of a work-group
  std::vector<Op> ops_;
  std::optional<std::uint32_t> grid_barrier_;
  std::optional<std::uint32_t> dependencies_barrier_;
  bool has_memory_ = false;
  bool has_stores_ = false;
  bool has_precedence_ = false;
  bool draws_by_part_ = false;
  bool takes_by_thread_ = false;
  std::vector<TileStep> tile_steps_;  ///< by role, then by step of the program
  std::vector<Role> roles_;
  std::vector<std::vector<bool>> arrives_;      ///< by role, then barrier: the role signals or has a barrier there
  std::vector<bool> has_barrier_step_;          ///< by barrier
  std::vector<bool> has_wait_step_;             ///< by barrier
  std::vector<WorkGroupId> declared_;           ///< work-groups with a declared factor, ascending
  std::vector<std::uint32_t> row_of_declared_;  ///< by entry of `declared_`: which row
  std::vector<Amounts> by_clock_;
};

/// Returns the clock by which cycles of `device` are counted; 0 Hz if it has none.
Hertz clock_of(const DeviceSpec& device);

/// The programs of some kernels for one device. A kernel whose work-groups differ has one for each of their programs.
class ProgramPlans {
 public:
  /// No program may have a fault, see check_program(). The kernels must outlive this.
  ProgramPlans(const std::vector<Kernel>& kernels, const DeviceSpec& device);

  /// Returns the plan of the kernel's `program`. All plans of the kernel have the same steps, barriers and children,
  /// but not the same flags.
  const ProgramPlan& plan_of(KernelId kernel) const { return plans_[first_[index_of(kernel)]]; }
  /// Returns the plan of one work-group.
  const ProgramPlan& plan_of(KernelId kernel, WorkGroupId group) const {
    const std::size_t k = index_of(kernel);
    return plans_[first_[k] + (of_group_[k].empty() ? 0 : of_group_[k][number_of(group)])];
  }
  /// Returns all plans of the kernel.
  std::span<const ProgramPlan> all(KernelId kernel) const {
    const std::size_t k = index_of(kernel);
    return std::span(plans_).subspan(first_[k], first_[k + 1] - first_[k]);
  }
  /// Returns all plans of all kernels, kernel by kernel.
  std::span<const ProgramPlan> all() const { return plans_; }
  /// Returns the position of a plan in all().
  std::size_t number(const ProgramPlan& plan) const { return static_cast<std::size_t>(&plan - plans_.data()); }

 private:
  std::vector<ProgramPlan> plans_;
  std::vector<std::size_t> first_;                        ///< by kernel; one more after the last
  std::vector<std::span<const std::uint32_t>> of_group_;  ///< by kernel, then work-group; empty: all have the first
};

}  // namespace gdsim
