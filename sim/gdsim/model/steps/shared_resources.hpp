#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/event/fair_pool.hpp>
#include <gdsim/event/heaps.hpp>
#include <gdsim/model/memory/memory_clients.hpp>
#include <gdsim/model/memory/memory_pool.hpp>
#include <gdsim/program/program_plan.hpp>
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
  std::size_t plan = 0;  ///< number of their work-group's plan among all plans
  std::uint32_t op = 0;
  bool is_first = false;  ///< true if they are served first
};

/// Work of a cohort that the last change of the clock has rescaled, in FixedPoint.
struct RescaledWork {
  FixedPoint served = 0;  ///< under earlier clocks, in picoseconds under each
  FixedPoint left = 0;    ///< at the change, under the clock that came into force
};

/// Resources that threads share while they execute: issue slots of engines, banks of SLM or the pipe of L1, global
/// memory, addresses of atomic accesses. Each resource has one wake-up: the time at which the next of its users is done
/// if no user enters or leaves before. Runs without steps on shared resources have no cost for them.
class SharedResources {
 public:
  /// `plans` must be those of the kernels. All references must outlive this.
  SharedResources(const DeviceSpec& device, const ClockSchedule& clocks, const Workload& workload,
                  const ProgramPlans& plans);

  /// Returns the range of engines of an issue pool of a core: the first one, and the end.
  std::pair<std::uint32_t, std::uint32_t> engines_of(std::uint32_t pool) const {
    return {pool * fused_engines_, std::min((pool + 1) * fused_engines_, engines_per_core_)};
  }
  std::uint32_t issue_pool_of(std::uint32_t engine) const { return pool_of_engine_[engine]; }

  /// Adds `threads` equal threads of a cohort to a resource of their core, each with `work` picoseconds of work: a pipe
  /// of their issue pool, or its issue slots, or the core's L1.
  void use_pipe(SimTime now, std::uint32_t pipe, CoreId core, std::uint32_t pool, CohortIndex cohort,
                std::uint32_t threads, std::int64_t work, ShareWeight weight) {
    if (pipe == kL1Pipe) return use_bank(now, l1_base_ + index_of(core), cohort, threads, work, weight);
    const std::uint32_t number = number_of(pipe);
    const auto resource = static_cast<std::uint32_t>((number * cores_ + index_of(core)) * issue_pools_ + pool);
    issue_[resource].enter(now, cohort, threads, work, gdsim::number_of(weight));
    mark(resource);
  }
  void use_slm(SimTime now, CoreId core, CohortIndex cohort, std::uint32_t threads, std::int64_t work,
               ShareWeight weight) {
    use_bank(now, index_of(core), cohort, threads, work, weight);
  }
  void use_atomics(SimTime now, CohortIndex cohort, std::uint32_t threads, std::int64_t work);
  void use_memory(SimTime now, CoreId core, const MemoryUse& use, CohortIndex cohort, std::uint32_t threads,
                  std::int64_t bytes) {
    memory_->enter(now, core, use.plan, kind_of(use), cohort, threads, bytes);
    memory_is_changed_ = true;
  }

  /// Returns the end of a memory step of `bytes` bytes that begins at `begin` if its work-group is alone on the device.
  SimTime isolated_end(SimTime begin, const MemoryUse& use, std::int64_t bytes) const {
    return memory_->isolated_end(begin, kind_of(use), bytes);
  }
  /// Returns the latency, from `begin` on, of this memory step if its work-group is alone on the device.
  Duration isolated_latency(SimTime begin, std::size_t plan, std::uint32_t op) const {
    return memory_->isolated_latency(begin, memory_kinds_[plan][op].front());
  }

  /// Must be called when a work-group of this launch becomes resident, and when it ends. Its first thread is on `core`.
  void on_work_group_opened(LaunchId launch, KernelId kernel, CoreId core);
  void on_work_group_closed(LaunchId launch, KernelId kernel, CoreId core);
  /// Returns true if the memory's rates depend on the number of resident work-groups of this kernel.
  bool counts_working_set(KernelId kernel) const {
    if (!memory_) return false;
    const KernelWorkingSet& bytes = working_sets_[index_of(kernel)];
    return bytes.of_work_group != 0 || bytes.of_launch != 0;
  }

  /// Returns true if the clock changes at `now`, or has changed while no resource was in use. Completed work must have
  /// been taken.
  bool clock_is_due(SimTime now) const { return static_cast<std::uint64_t>(now.count) >= clock_wake_; }
  /// Returns the number of the clock that the pools follow. At the instant of a change, this is the previous clock
  /// until change_clock() is called.
  std::size_t clock() const { return clock_; }
  /// Returns the numbers of the clock that the pools follow, and of the clock that is in force from `now` on.
  std::pair<std::size_t, std::size_t> next_clocks(SimTime now) const { return {clock_, clocks_.number_at(now)}; }
  /// Makes the pools follow the clock in force at `now`. `scale(cohort, resource, left)` must return a cohort's
  /// remaining work on a resource under that clock, in FixedPoint.
  template <class Scale>
  void change_clock(SimTime now, Scale scale);

  /// Removes and returns the cohorts that are done on `resource` at `now`. Their executing time is set for memory only;
  /// on other resources, it equals their work. Valid until the next call.
  const std::vector<Served>& take_served(std::uint32_t resource, SimTime now);
  /// Updates rates and wake-ups. Must be called after all events of an instant have been handled.
  void settle(SimTime now) {
    if (!changed_.empty()) settle_changed();
    if (memory_is_changed_) settle_memory(now);
  }
  /// Returns the next wake-up, of a resource or for a change of the clock, or nullopt if no resource is in use.
  std::optional<SimTime> next() const {
    const std::uint64_t next = next_wake();
    return next == kNever ? std::nullopt : std::optional(SimTime{static_cast<std::int64_t>(next)});
  }
  /// Calls `wake(resource)` for each resource that is due at next(). take_served() must be called for each before the
  /// instant is settled.
  template <class Wake>
  void visit_next(Wake&& wake) const {
    const std::uint64_t next = next_wake();
    const bool is_pool_due = wakes_.least() == next;
    if (memory_wake_ == next) wake(memory_resource());
    if (is_pool_due) wakes_.visit_least([&](std::size_t resource) { wake(static_cast<std::uint32_t>(resource)); });
  }

  /// A cohort's remaining work on a resource, in FixedPoint, under the clock that the pools follow.
  struct WorkLeft {
    CohortIndex cohort;
    std::uint32_t resource;
    FixedPoint left;
  };
  /// Returns the remaining work of all cohorts on all resources but memory.
  std::vector<WorkLeft> work_left(SimTime now) const;
  /// Returns the pipe that this resource is: kL1Pipe for the banks of a core's SLM and its L1.
  std::uint32_t pipe_of(std::uint32_t resource) const {
    return resource < slm_base_ ? pipes_[resource / (cores_ * issue_pools_)] : kL1Pipe;
  }
  /// Returns the bytes that the threads of a plan have requested, by memory level; empty: none.
  std::vector<Int128> traffic_of(std::size_t plan) const {
    return memory_ ? memory_->traffic().bytes_of(plan) : std::vector<Int128>{};
  }
  /// Returns the executing time so far of cohorts in the middle of a memory access.
  std::vector<Served> memory_served(SimTime now) const;

 private:
  static constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();

  std::uint64_t next_wake() const {
    const std::uint64_t next = std::min(memory_wake_, wakes_.least());
    return next == kNever ? kNever : std::min(next, clock_wake_);
  }
  /// Returns the position of a pipe in pipes_: the issue slots are first, chains of results last.
  std::uint32_t number_of(std::uint32_t pipe) const {
    if (pipe == kIssueSlots) return 0;
    return pipe == kChain ? static_cast<std::uint32_t>(pipes_.size()) - 1 : number_of_pipe_[pipe];
  }
  /// `number` is that of a pool of slm_.
  void use_bank(SimTime now, std::size_t number, CohortIndex cohort, std::uint32_t threads, std::int64_t work,
                ShareWeight weight);
  std::uint32_t memory_resource() const { return slm_base_ + l1_base_ + cores_; }
  std::uint32_t atomics_resource() const { return memory_resource() + 1; }
  FairPool<CohortIndex>& pool(std::uint32_t resource);
  void mark(std::uint32_t resource) {
    if (std::exchange(is_changed_[resource], std::uint8_t{1}) == 0) changed_.push_back(resource);
  }
  /// Makes the memory follow the clock in force at `now`, and sets the time of the next change.
  void follow_clock(SimTime now);
  void settle_changed();
  void settle_memory(SimTime now);
  std::uint32_t kind_of(const MemoryUse& use) const { return memory_kinds_[use.plan][use.op][use.is_first ? 1 : 0]; }
  void make_memory(const DeviceSpec& device, const Workload& workload, const ProgramPlans& plans);

  ClockSchedule clocks_;
  std::size_t clock_ = 0;              ///< the clock that the pools follow
  std::uint64_t clock_wake_ = kNever;  ///< the time of the next change
  std::uint32_t cores_;
  std::uint32_t engines_per_core_;
  std::uint32_t fused_engines_;
  std::uint32_t issue_pools_;
  std::vector<std::uint32_t> pipes_;           ///< those that programs use, the issue slots first
  std::vector<std::uint32_t> number_of_pipe_;  ///< by pipe: its position in pipes_
  std::uint32_t slm_base_;
  std::uint32_t slm_width_;                    ///< number of accesses that a core's SLM serves at once
  std::vector<std::uint32_t> pool_of_engine_;  ///< by engine of a core: its issue pool
  std::vector<FairPool<CohortIndex>> issue_;   ///< by position in pipes_, core, then pool; empty if no kernel uses it
  std::uint32_t l1_base_;                      ///< the first core's L1 in slm_; 0: SLM is the same pipe
  std::vector<FairPool<CohortIndex>> slm_;     ///< by core, then L1 by core if it is apart; empty if no kernel uses it
  FairPool<CohortIndex> atomics_{1};
  std::optional<MemoryPool> memory_;
  std::vector<KernelWorkingSet> working_sets_;                           ///< by kernel
  std::vector<std::vector<std::array<std::uint32_t, 2>>> memory_kinds_;  ///< by plan, op, is_first
  MinTree<std::uint64_t> wakes_;                                         ///< of pools, by resource, picoseconds
  std::uint64_t memory_wake_ = kNever;                                   ///< outside of wakes_: it changes most often
  std::vector<std::uint32_t> changed_;                                   ///< pools; empty between instants
  std::vector<std::uint8_t> is_changed_;                                 ///< by pool: 1 if it is in changed_
  bool memory_is_changed_ = false;                                       ///< false between instants
  std::vector<Served> served_;
};

template <class Scale>
void SharedResources::change_clock(SimTime now, Scale scale) {
  const auto rescale = [&](std::uint32_t resource) {
    FairPool<CohortIndex>& shared_pool = pool(resource);
    if (shared_pool.empty()) return;
    shared_pool.rescale(now, [&](CohortIndex cohort, FixedPoint left) { return scale(cohort, resource, left); });
    mark(resource);
  };
  for (std::uint32_t i = 0; i < issue_.size(); ++i) rescale(i);
  for (std::uint32_t i = 0; i < slm_.size(); ++i) rescale(slm_base_ + i);
  rescale(atomics_resource());
  follow_clock(now);
}

}  // namespace gdsim
