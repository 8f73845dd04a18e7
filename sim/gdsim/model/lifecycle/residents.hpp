#pragma once

#include <gdsim/base/state_visitor.hpp>
#include <gdsim/dispatch/turn/grant.hpp>
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
  Wave wave = Wave::later;  ///< first: on this core, no thread of the launch had ended when it was placed
  std::uint32_t threads = 0;
  std::uint32_t placed = 0;
  std::uint32_t ended = 0;
  bool has_triggered = false;             ///< launches that wait for its trigger no longer do
  std::uint32_t first_context = 0;        ///< of the run of contexts that it holds, where contexts are allocated in
                                          ///< runs
  Bytes slm;                              ///< allocated
  const ProgramPlan* plan = nullptr;      ///< of its program
  std::span<const std::int64_t> amounts;  ///< by op
  DrawnFactor factor = kNoFactor;         ///< applied to the amounts
  std::uint32_t serving_parity = 0;       ///< 1: it is served first in odd memory, issue and SLM steps; 0: in even ones
};

/// Appends a fact about threads of the work-group; the reference is valid until the next one. The fact is built in
/// place: copying fields that were just written stalls the processor.
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
  explicit Residents(std::size_t cores) : counts_(cores, 0), filling_(cores) {}

  ResidentGroup& operator[](GroupIndex index) { return groups_[index]; }
  const ResidentGroup& operator[](GroupIndex index) const { return groups_[index]; }
  /// Number of positions, those of ended work-groups included: these have no threads.
  std::size_t size() const { return groups_.size(); }
  /// Number of work-groups that have not ended.
  std::uint64_t count() const { return count_; }

  /// Number of work-groups that hold something of the core.
  std::uint32_t count_on(CoreId core) const { return counts_[index_of(core)]; }

  /// The grant's work-group becomes resident.
  GroupIndex open(const Grant& grant, KernelId kernel, Bytes slm);
  /// The work-group of a grant is placed on another core.
  void add_core(const Grant& grant);
  /// The work-group for which the core was granted last.
  GroupIndex filling(CoreId core) const { return filling_[index_of(core)]; }
  /// All its threads have ended.
  void close(GroupIndex index);

  /// The cores of a spread work-group besides its first.
  std::span<const CoreId> more_cores(GroupIndex group) const;
  /// Work-groups that have not ended, by launch and number, with their positions.
  std::vector<GroupIndex> in_order() const;

  void visit_state(StateVisitor& visitor, GroupIndex index);

 private:
  Slab<ResidentGroup, GroupIndex> groups_;
  std::vector<std::uint32_t> counts_;  ///< by core: resident work-groups
  /// By core; the dispatcher knows the resident work-group with remaining threads.
  std::vector<GroupIndex> filling_;
  std::vector<std::vector<CoreId>> more_cores_;  ///< by group, grown only by groups that are spread
  std::uint64_t count_ = 0;                      ///< of groups with threads
};

}  // namespace gdsim
