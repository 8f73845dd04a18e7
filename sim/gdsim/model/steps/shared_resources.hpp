#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/event/fair_pool.hpp>
#include <gdsim/event/indexed_heap.hpp>
#include <gdsim/model/memory/memory_pool.hpp>
#include <gdsim/model/memory/memory_steps.hpp>
#include <gdsim/model/steps/share_weight.hpp>
#include <gdsim/program/program_plans.hpp>
#include <gdsim/workload/workload.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace gdsim {

/// A memory step of threads of a kernel.
struct MemoryUse {
  std::size_t plan = 0;  ///< of their work-group, among all plans
  std::uint32_t op = 0;
  bool is_first = false;  ///< it is their turn to be served first, if their kernel takes turns
};

/// Work of a cohort that the last change of the clock has rescaled, in FixedPoint.
struct RescaledWork {
  FixedPoint served = 0;  ///< under earlier clocks, in picoseconds under each
  FixedPoint left = 0;    ///< at the change, under the clock that came into force
};

/// Resources that threads share while they execute: issue slots of engines, banks of SLM or the pipe of L1, global
/// memory, addresses of atomic accesses. Each resource has one wake-up: when the next of its users is done if nothing
/// changes. Runs without steps on them have no cost for this.
class SharedResources {
 public:
  /// `plans` are those of the kernels. All references must outlive this.
  SharedResources(const DeviceSpec& device, const ClockSchedule& clocks, const Workload& workload,
                  const ProgramPlans& plans);

  /// Number of issue pools of a core: engines that share their slots are one pool.
  std::uint32_t issue_pools() const { return issue_pools_; }
  /// The engines of an issue pool of a core: the first, and the end of the range.
  std::pair<std::uint32_t, std::uint32_t> engines_of(std::uint32_t pool) const {
    return {pool * fused_engines_, std::min((pool + 1) * fused_engines_, engines_per_core_)};
  }
  std::uint32_t issue_pool_of(std::uint32_t engine) const { return pool_of_engine_[engine]; }

  /// `threads` equal threads of a cohort begin to use a resource of their core. Each has `work` picoseconds of work.
  void use_issue(SimTime now, CoreId core, std::uint32_t pool, CohortIndex cohort, std::uint32_t threads,
                 std::int64_t work, ShareWeight weight) {
    const auto resource = static_cast<std::uint32_t>(index_of(core) * issue_pools_ + pool);
    issue_[resource].enter(now, cohort, threads, work, number_of(weight));
    mark(resource);
  }
  void use_slm(SimTime now, CoreId core, CohortIndex cohort, std::uint32_t threads, std::int64_t work,
               ShareWeight weight);
  void use_atomics(SimTime now, CohortIndex cohort, std::uint32_t threads, std::int64_t work);
  void use_memory(SimTime now, CoreId core, const MemoryUse& use, CohortIndex cohort, std::uint32_t threads,
                  std::int64_t bytes) {
    memory_->enter(now, core, kind_of(use), cohort, threads, bytes);
    memory_is_changed_ = true;
  }

  /// Returns when a memory step of this size that begins at `begin` ends if its work-group has the device for itself.
  SimTime isolated_end(SimTime begin, const MemoryUse& use, std::int64_t bytes) const {
    return memory_->isolated_end(begin, kind_of(use), bytes);
  }
  /// The latency from `begin` on of this memory step of a thread whose work-group has the device for itself.
  Duration isolated_latency(SimTime begin, std::size_t plan, std::uint32_t op) const {
    return memory_->isolated_latency(begin, memory_kinds_[plan][op].front());
  }
  /// Number of accesses that the SLM of a core serves at once.
  std::uint32_t slm_width() const { return slm_width_; }
  /// Returns the time that equal threads take for this work each on an issue or SLM pool that they have for themselves.
  static Duration isolated_time(std::uint32_t capacity, std::uint32_t threads, std::int64_t work) {
    FairPool<CohortIndex> pool(capacity);
    pool.enter(SimTime{}, kNoCohort, threads, work);
    return since_start(*pool.settle());
  }

  /// A work-group of this launch, whose first thread is on this core, has become resident, or is no longer.
  void work_group_opens(LaunchId launch, KernelId kernel, CoreId core);
  void work_group_closes(LaunchId launch, KernelId kernel, CoreId core);
  /// Returns true if the memory's rates depend on how many of this kernel's work-groups are resident.
  bool counts_working_set(KernelId kernel) const {
    if (!memory_) return false;
    const KernelWorkingSet& bytes = working_sets_[index_of(kernel)];
    return bytes.of_work_group != 0 || bytes.of_launch != 0;
  }

  /// Returns true if the clock changes at `now`, or has changed while nothing was in use. Completed work must be taken.
  bool clock_is_due(SimTime now) const { return static_cast<std::uint64_t>(now.count) >= clock_wake_; }
  /// The number of the clock that the pools follow. At the instant of a change, it is the previous clock until
  /// change_clock().
  std::size_t clock() const { return clock_; }
  /// The numbers of the clock that the pools follow, and of the clock that is in force from `now` on.
  std::pair<std::size_t, std::size_t> next_clocks(SimTime now) const { return {clock_, clocks_.number_at(now)}; }
  /// The pools follow the clock in force at `now`. `scale(cohort, resource, left)` returns a cohort's remaining work on
  /// a resource under that clock, in FixedPoint.
  template <class Scale>
  void change_clock(SimTime now, Scale scale);

  /// Returns the cohorts that are done on `resource` at `now`. Their executing time is set for memory only; elsewhere
  /// it equals their work. Valid until the next call.
  const std::vector<Served>& take_served(std::uint32_t resource, SimTime now);
  /// All events of this instant have been handled.
  void settle(SimTime now) {
    settle_pools();
    if (memory_is_changed_) settle_memory(now);
  }
  /// Settles all but memory. Must also be called after a pool was entered in the past, because it has served since
  /// then.
  void settle_pools() {
    if (!changed_.empty()) settle_changed();
  }
  /// The next wake-up, of a resource or for a change of the clock; nullopt if no cohort uses anything.
  std::optional<SimTime> next() const {
    const std::uint64_t next = next_wake();
    return next == kNever ? std::nullopt : std::optional(SimTime{static_cast<std::int64_t>(next)});
  }
  /// Calls `wake(resource)` for each resource that is due at next(). What each serves must be taken before the instant
  /// is settled.
  template <class Wake>
  void visit_next(Wake&& wake) const {
    const std::uint64_t next = next_wake();
    const bool is_pool_due = pool_wake() == next;
    if (memory_wake_ == next) wake(memory_resource());
    if (is_pool_due) wakes_.visit_least(wake);
  }

  /// A cohort's remaining work on a resource, in FixedPoint, under the clock that the pools follow.
  struct WorkLeft {
    CohortIndex cohort;
    std::uint32_t resource;
    FixedPoint left;
  };
  /// The remaining work of all cohorts on all resources but memory.
  std::vector<WorkLeft> work_left(SimTime now) const;
  /// Returns true for the banks of a core's SLM and the pipe of its L1.
  bool is_slm(std::uint32_t resource) const { return resource >= slm_base_ && resource < memory_resource(); }
  /// Returns the executing time so far of cohorts in the middle of a memory access.
  std::vector<Served> memory_served(SimTime now) const;

  /// Adds the cohorts that use something to `users`, in the order that decides ties. The instant must be settled.
  void visit_state(StateVisitor& visitor, std::vector<CohortIndex>& users);

 private:
  static constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();

  /// The wake-up of the first pool, in picoseconds.
  std::uint64_t pool_wake() const { return wakes_.empty() ? kNever : wakes_.top_key(); }
  std::uint64_t next_wake() const {
    const std::uint64_t next = std::min(memory_wake_, pool_wake());
    return next == kNever ? kNever : std::min(next, clock_wake_);
  }
  std::uint32_t slm_resource(CoreId core) const;
  std::uint32_t memory_resource() const { return slm_base_ + cores_; }
  std::uint32_t atomics_resource() const { return memory_resource() + 1; }
  FairPool<CohortIndex>& pool(std::uint32_t resource);
  void mark(std::uint32_t resource) {
    if (std::exchange(is_changed_[resource], std::uint8_t{1}) == 0) changed_.push_back(resource);
  }
  /// The memory follows the clock in force at `now`. Sets when the next change is.
  void follow_clock(SimTime now);
  void settle_changed();
  void settle_memory(SimTime now);
  std::uint32_t kind_of(const MemoryUse& use) const { return memory_kinds_[use.plan][use.op][use.is_first ? 1 : 0]; }
  void make_memory(const DeviceSpec& device, const Workload& workload, const ProgramPlans& plans);

  ClockSchedule clocks_;
  std::size_t clock_ = 0;              ///< the clock in force
  std::uint64_t clock_wake_ = kNever;  ///< the next change
  std::uint32_t cores_;
  std::uint32_t engines_per_core_;
  std::uint32_t fused_engines_;
  std::uint32_t issue_pools_;
  std::uint32_t slm_base_;
  std::uint32_t slm_width_;                    ///< accesses that a core's SLM serves at once
  std::vector<std::uint32_t> pool_of_engine_;  ///< by engine of a core: its issue pool
  std::vector<FairPool<CohortIndex>> issue_;   ///< by core, then pool; empty if no kernel uses it
  std::vector<FairPool<CohortIndex>> slm_;     ///< by core; empty if no kernel uses it
  FairPool<CohortIndex> atomics_{1};
  std::optional<MemoryPool> memory_;
  std::vector<KernelWorkingSet> working_sets_;                           ///< by kernel
  std::vector<std::vector<std::array<std::uint32_t, 2>>> memory_kinds_;  ///< by plan, op, is_first
  IndexedHeap<std::uint64_t> wakes_;                                     ///< of pools, by resource, picoseconds
  std::uint64_t memory_wake_ = kNever;                                   ///< kNever: none. It changes most often
  std::vector<std::uint32_t> changed_;                                   ///< pools; empty between instants
  std::vector<std::uint8_t> is_changed_;                                 ///< 1: it is in changed_
  bool memory_is_changed_ = false;                                       ///< false between instants
  std::vector<Served> served_;
};

template <class Scale>
void SharedResources::change_clock(SimTime now, Scale scale) {
  const auto rescale = [&](std::uint32_t resource) {
    FairPool<CohortIndex>& one = pool(resource);
    if (one.empty()) return;
    one.rescale(now, [&](CohortIndex cohort, FixedPoint left) { return scale(cohort, resource, left); });
    mark(resource);
  };
  for (std::uint32_t i = 0; i < issue_.size(); ++i) rescale(i);
  for (std::uint32_t i = 0; i < slm_.size(); ++i) rescale(slm_base_ + i);
  rescale(atomics_resource());
  follow_clock(now);
}

}  // namespace gdsim
