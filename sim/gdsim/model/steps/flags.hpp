#pragma once

#include <gdsim/model/steps/barriers.hpp>
#include <gdsim/program/program_plans.hpp>
#include <gdsim/workload/workload.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

// Rule, to the picosecond: flags between work-groups.
//
// A `signal` or `wait` with `scope: launch` is one of a flag of its launch, which its name and its `index` identify.
// The work-groups of a flag are those of the launch, placed or not, of which some thread has a signal of it in its
// program. Each of them arrives for the n-th time when all its threads that have one have done so n times; phase n of
// the flag is complete when all its work-groups have arrived n times. A thread's n-th `wait` for a flag ends at the
// instant at which phase n is complete. Nothing delays it, and no factor changes it: what signals and polls cost in
// memory are steps beside them. A flag without work-groups, as that of index -1, is passed at once. Two launches share
// no flag.

namespace gdsim {

/// A flag of a launch, by its number among those of the launch's kernel.
struct FlagOfLaunch {
  LaunchId launch{};
  std::uint32_t number = 0;
};

/// A work-group with threads that wait for a flag, which is this barrier of its plan.
struct FlagWait {
  GroupIndex group{};
  std::uint32_t barrier = 0;

  friend bool operator==(const FlagWait&, const FlagWait&) = default;
};

/// The flags of all launches.
class Flags {
 public:
  /// The workload must outlive this.
  Flags(const Workload& workload, const ProgramPlans& plans);

  /// Returns the number, among those of its kernel, of the flag that is this barrier of the plan.
  std::uint32_t number_of(std::size_t plan, std::uint32_t barrier) const {
    return plans_[plan].numbers[barrier - plans_[plan].first];
  }
  /// Returns the work-groups that signal the flag.
  std::uint64_t signalling_groups(FlagOfLaunch flag) const {
    return kernels_[index_of(workload_.launches[index_of(flag.launch)].as_kernel().kernel)][flag.number];
  }
  /// Returns the phases of the flag that are complete: all, if no work-group signals it.
  std::uint64_t complete(FlagOfLaunch flag) const;
  /// Lets the work-group arrive, which has done so `before` times, for the next `phases` phases. Returns those that
  /// wait for the flag, if any phase of it is complete; they count as waiting no longer.
  std::vector<FlagWait> arrive(FlagOfLaunch flag, std::uint64_t before, std::uint64_t phases);
  /// Notes that the work-group waits for the flag.
  void wait(FlagOfLaunch flag, FlagWait wait);

 private:
  /// The flags of a plan: the barrier that is the first, and the number of each.
  struct OfPlan {
    std::uint32_t first = 0;
    std::vector<std::uint32_t> numbers;
  };
  struct Flag {
    BarrierState arrivals;
    std::vector<FlagWait> waiting;
  };

  Flag& flag_at(FlagOfLaunch flag);

  const Workload& workload_;
  std::vector<OfPlan> plans_;                        ///< empty if no kernel has flags
  std::vector<std::vector<std::uint64_t>> kernels_;  ///< by kernel, then flag: work-groups that signal it
  std::vector<std::vector<Flag>> launches_;          ///< by launch, then flag; those of a launch from its first use on
};

}  // namespace gdsim
