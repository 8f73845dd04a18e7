#pragma once

#include <gdsim/dispatch/turn/turn_decisions.hpp>
#include <gdsim/model/lifecycle/cohort.hpp>
#include <gdsim/record/observer.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace gdsim {

/// A resident work-group: at least one thread has been placed and not all have ended.
struct ResidentGroup {
  LaunchId launch{};
  KernelId kernel{};
  WorkGroupId number{};
  CoreId core{};            ///< of its first thread
  Wave wave = Wave::later;  ///< `first` if no thread of the launch had ended on this core when it was placed
  std::uint32_t threads = 0;
  std::uint32_t placed = 0;
  std::uint32_t ended = 0;
  bool has_triggered = false;             ///< it has triggered or ended
  std::uint32_t first_context = 0;        ///< of its contiguous range of contexts, if contexts are held in ranges
  Bytes slm;                              ///< allocated
  const ProgramPlan* plan = nullptr;      ///< of its program
  std::span<const std::int64_t> amounts;  ///< by op
  DrawnFactor factor = kNoFactor;         ///< applied to the amounts
  std::uint32_t serving_parity = 0;       ///< 1: it is served first in odd memory, issue and SLM steps; 0: in even ones
};

/// Appends a fact about threads of the work-group. The reference is valid until the next call. The fact is built in
/// place, because a copy of data just written stalls the processor.
inline Fact& add_fact(std::vector<Fact>& facts, FactKind kind, const ResidentGroup& group, const CoreThreads& on_core) {
  Fact& fact = facts.emplace_back();
  fact.kind = kind;
  fact.core = on_core.core;
  fact.threads = on_core.threads;
  fact.launch = group.launch;
  fact.work_group = group.number;
  fact.slm = group.slm;
  return fact;
}

/// The resident work-groups of a device, and the cores that they are on.
class Residents {
 public:
  explicit Residents(std::size_t cores) : filling_(cores) {}

  ResidentGroup& operator[](GroupIndex index) { return groups_[index]; }
  const ResidentGroup& operator[](GroupIndex index) const { return groups_[index]; }
  /// Returns the number of positions, including those of ended work-groups, which have no threads.
  std::size_t size() const { return groups_.size(); }

  /// Makes the grant's work-group resident.
  GroupIndex open(const Grant& grant, KernelId kernel, Bytes slm);
  /// Adds the grant's core to its work-group, which must be resident.
  void add_core(const Grant& grant);
  /// Returns the work-group of the core's last grant.
  GroupIndex filling(CoreId core) const { return filling_[index_of(core)]; }
  /// Removes a work-group whose threads have all ended.
  void close(GroupIndex index);

  /// Returns the cores of a spread work-group other than its first.
  std::span<const CoreId> more_cores(GroupIndex group) const;
  /// Returns the positions of the work-groups that have not ended, by launch and number.
  std::vector<GroupIndex> in_order() const;

 private:
  Slab<ResidentGroup, GroupIndex> groups_;
  std::vector<GroupIndex> filling_;              ///< by core: the work-group of the last grant
  std::vector<std::vector<CoreId>> more_cores_;  ///< by group, extended only for spread groups
};

}  // namespace gdsim
