#pragma once

#include <gdsim/base/arithmetic.hpp>
#include <gdsim/base/check.hpp>
#include <gdsim/base/decimal.hpp>
#include <gdsim/base/quantity.hpp>
#include <gdsim/device/device_spec.hpp>
#include <gdsim/device/dispatch_rules.hpp>
#include <gdsim/fit/engines.hpp>
#include <gdsim/fit/footprint.hpp>
#include <gdsim/record/launch_record.hpp>
#include <gdsim/workload/kernel.hpp>
#include <gdsim/workload/workload.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

namespace gdsim {

// Rule, to the picosecond: contexts in ranges.
//
// A work-group of T threads that take c contexts each needs a range of T x c contexts of its core, beginning at a
// multiple of T x c; it takes the lowest that is free. The range is released with the work-group's slot, also where the
// threads' contexts are released one by one (`release: thread`), and after the `recovery`. A core without such a
// range is no candidate; `most_room` counts ranges, too. The engine of a thread does not follow from its context.

/// Which contexts of one core are taken. For devices whose work-groups take ranges of contexts
/// (ContextAllocation::aligned_ranges). A range begins at a multiple of its length; the lowest free one is taken.
class ContextRanges {
 public:
  explicit ContextRanges(std::uint32_t contexts) : is_taken_(contexts, 0) {}

  /// Returns the beginning of the lowest free range of `length` contexts, or nullopt if there is none.
  std::optional<std::uint32_t> find(std::uint32_t length) const;
  /// Returns the number of ranges of this length that could be taken one after the other.
  std::uint64_t count(std::uint32_t length) const;
  /// Takes the lowest free range, and returns its beginning. There must be one.
  std::uint32_t take(std::uint32_t length);
  void release(std::uint32_t first, std::uint32_t length);

 private:
  bool is_free(std::uint32_t first, std::uint32_t length) const;

  std::vector<std::uint8_t> is_taken_;  ///< by context: 1 if it is taken
};

/// Returns true if the program has a barrier, or the kernel needs SLM: its threads must be on one core.
inline bool binds_to_core(const Kernel& kernel) {
  return has_barrier(kernel.program) || kernel.needs.slm.total.count > 0;
}

/// Returns true if a partially placed work-group of the kernel is handed over to its core, which frees the port.
inline bool hands_over(const DispatchRules& rules, const Kernel& kernel) {
  return rules.handover == Handover::always || (rules.handover == Handover::barrier_or_slm && binds_to_core(kernel));
}

/// Whether a run must know which thread is on which engine: only if engines can run out of a resource besides contexts,
/// of which all engines have the same number.
enum class EngineDetail : std::uint8_t { none, each };

/// The resources of one core that are held at present, each from 0 to its capacity.
class Core {
 public:
  Core(const DeviceSpec& device, EngineDetail detail);

  /// Returns why such a work-group does not fit, or nullopt if it fits. With partial admission, one of its threads has
  /// to fit, else all at once. The reason is the first resource that the core lacks, in the order of Pool, then
  /// contexts, then a range of contexts, then registers.
  std::optional<WaitReason> refusal(const Footprint& footprint, Admission admission) const;
  /// Returns the number of further threads of such a work-group that fit. Its group resources must be taken already.
  std::uint32_t thread_capacity(const Footprint& footprint) const;
  /// Returns the number of further whole work-groups that fit: the minimum of floor(free / need) over all needs.
  std::uint64_t how_many_more(const Footprint& footprint) const;

  /// Like thread_capacity(), but by contexts alone, regardless of registers and of the size of the work-group.
  std::uint64_t context_capacity(const Footprint& footprint) const;
  /// Returns the first pool with too little free for the group resources, or nullopt if they fit.
  std::optional<Pool> scarce_pool(const Footprint& footprint) const;

  /// Returns the beginning of the work-group's range of contexts; 0 if contexts are counted.
  std::uint32_t take_group(const Footprint& footprint);
  void release_group(const Footprint& footprint, std::uint32_t first_context = 0);
  /// Places threads on engines. Returns their engines if the run distinguishes engines, else `none`.
  EngineSet take_threads(const Footprint& footprint, std::uint32_t threads, SimTime now, EngineSets& sets);
  /// Ends threads: they are no longer resident; free_threads() frees their resources.
  void end_threads(std::uint32_t threads, SimTime now);
  /// Frees the resources of `threads` ended threads. If the run distinguishes engines, `set` has exactly these threads,
  /// and is removed.
  void free_threads(const Footprint& footprint, std::uint32_t threads, EngineSet set, EngineSets& sets);
  /// end_threads() and free_threads().
  void release_threads(const Footprint& footprint, std::uint32_t threads, SimTime now, EngineSet set,
                       EngineSets& sets) {
    end_threads(threads, now);
    free_threads(footprint, threads, set, sets);
  }

  /// Returns the held amount of a pool.
  std::int64_t held(Pool pool) const { return held_[pool]; }
  /// Returns the number of held contexts; a thread may hold several.
  std::uint64_t held_contexts() const { return static_cast<std::uint64_t>(held_[Pool::contexts]); }
  /// Returns the number of threads that hold a context.
  std::uint32_t resident() const { return static_cast<std::uint32_t>(resident_.level()); }
  /// Returns the number of threads that hold a context, or have ended and whose contexts are not free yet.
  std::uint32_t occupied() const { return resident() + ended_; }
  bool is_empty() const { return occupied() == 0 && held_ == Amounts{}; }

  /// Returns the core's own account: the sum over its threads of the time between taking a context and releasing it, in
  /// thread-picoseconds. Threads still resident count up to `now`.
  Int128 context_time(SimTime now) const { return resident_.sum_at(now); }

 private:
  /// Returns true if the per-work-group resources of `footprint` fit.
  bool fits_group(const Footprint& footprint) const;
  static WaitReason reason_of(Pool scarce);
  static std::uint32_t contexts_of(const Footprint& footprint) {
    return static_cast<std::uint32_t>(footprint.whole[Pool::contexts]);
  }

  Amounts held_;
  std::optional<ContextRanges> ranges_;  ///< if a work-group takes a range of contexts
  std::optional<Engines> engines_;
  TimeIntegral resident_;    ///< threads
  std::uint32_t ended_ = 0;  ///< ended threads whose contexts are not yet free
};

// These are inline because every event calls them.

inline bool Core::fits_group(const Footprint& footprint) const {
  bool fits = true;
  for (const Pool p : kPools)
    fits &= footprint.work_group[p] == 0 || held_[p] + footprint.work_group[p] <= footprint.capacity[p];
  return fits;
}

inline std::optional<WaitReason> Core::refusal(const Footprint& footprint, Admission admission) const {
  if (!fits_group(footprint)) return reason_of(*scarce_pool(footprint));
  const bool is_whole = admission == Admission::whole;
  const std::uint32_t threads = is_whole ? footprint.threads : 1;
  if (context_capacity(footprint) < threads) return WaitReason::contexts;
  if (is_whole && ranges_ && !ranges_->find(contexts_of(footprint))) return WaitReason::context_ranges;
  if (engines_ && engines_->capacity(footprint.thread) < threads) return WaitReason::registers;
  return std::nullopt;
}

inline std::uint64_t Core::context_capacity(const Footprint& footprint) const {
  const auto free = static_cast<std::uint64_t>(footprint.capacity[Pool::contexts] - held_[Pool::contexts]);
  return footprint.thread.contexts == 1 ? free : free / footprint.thread.contexts;
}

inline std::uint32_t Core::thread_capacity(const Footprint& footprint) const {
  std::uint64_t capacity = context_capacity(footprint);
  if (engines_) capacity = std::min(capacity, engines_->capacity(footprint.thread));
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(capacity, footprint.threads));
}

inline std::uint32_t Core::take_group(const Footprint& footprint) {
  GDSIM_CHECK(fits_group(footprint), "a core was given a work-group that it cannot hold");
  for (const Pool p : kPools) held_[p] += footprint.work_group[p];
  return ranges_ ? ranges_->take(contexts_of(footprint)) : 0;
}

inline void Core::release_group(const Footprint& footprint, std::uint32_t first_context) {
  if (ranges_) ranges_->release(first_context, contexts_of(footprint));
  bool holds = true;
  for (const Pool p : kPools) {
    held_[p] -= footprint.work_group[p];
    holds &= held_[p] >= 0;
  }
  GDSIM_CHECK(holds, "more of a core was released than is held");
}

inline EngineSet Core::take_threads(const Footprint& footprint, std::uint32_t threads, SimTime now, EngineSets& sets) {
  held_[Pool::contexts] += std::int64_t{threads} * footprint.thread.contexts;
  GDSIM_CHECK(held_[Pool::contexts] <= footprint.capacity[Pool::contexts],
              "a core was given more threads than it can hold");
  resident_.set_level(resident_.level() + threads, now);
  if (!engines_) return EngineSet::none;
  const EngineSet set = sets.add();
  engines_->take(footprint.thread, threads, sets.threads(set), sets.order(set));
  return set;
}

inline void Core::end_threads(std::uint32_t threads, SimTime now) {
  GDSIM_CHECK(threads <= resident_.level(), "more threads of a core were released than it holds");
  resident_.set_level(resident_.level() - threads, now);
  ended_ += threads;
}

inline void Core::free_threads(const Footprint& footprint, std::uint32_t threads, EngineSet set, EngineSets& sets) {
  GDSIM_CHECK(threads <= ended_, "contexts of more threads were freed than had ended on the core");
  ended_ -= threads;
  held_[Pool::contexts] -= std::int64_t{threads} * footprint.thread.contexts;
  if (!engines_) return;
  engines_->release(footprint.thread, sets.threads(set));
  sets.remove(set);
}

/// Returns the maximum number of work-groups of full size, of one launch of the kernel, that can all be resident at
/// once on these cores of an empty device; without `cores`, on all. A cluster fits as a whole or not at all. With a
/// partition, each group of cores runs its share of the work-groups.
std::uint64_t max_co_resident(const Kernel& kernel, const DeviceSpec& device, const DispatchRules& rules,
                              const CoreSelection& cores);

}  // namespace gdsim
