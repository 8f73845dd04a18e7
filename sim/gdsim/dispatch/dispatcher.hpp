#pragma once

#include <gdsim/dispatch/fit_search.hpp>
#include <gdsim/dispatch/grant.hpp>
#include <gdsim/dispatch/idle_watch.hpp>
#include <gdsim/dispatch/kernel_chooser.hpp>
#include <gdsim/dispatch/launch_progress.hpp>
#include <gdsim/dispatch/partial_groups.hpp>
#include <gdsim/dispatch/ports.hpp>
#include <gdsim/dispatch/wait_ledger.hpp>

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace gdsim {

/// Decides which threads go where, and reserves what they need. The only class that takes from a core; who gives back
/// to one reports it here. Invariant: at most one partially placed work-group per core, and it has first call on what
/// that core gets back; so partial dispatch cannot deadlock.
class Dispatcher {
 public:
  /// No kernel is refused by the device. All references must outlive this.
  Dispatcher(const DeviceSpec& device, const DispatchRules& rules, const Workload& workload,
             const FootprintTable& footprints, std::unique_ptr<Placement> placement, CoreBank& bank);

  /// The launch is ready since `ready`.
  void arrive(LaunchId launch, Picoseconds ready) { chooser_->arrive(launch, ready); }
  /// The launch has ended: another may begin, if only so many are allowed at once.
  void ended(LaunchId launch) {
    if (counts(launch)) --begun_;
  }
  /// Something was given back to the core.
  void gave_back(CoreId core) { changed_.insert(index_of(core)); }

  /// One dispatch turn: completes partially placed work-groups, then places new ones while it can.
  /// The grants are valid until the next turn.
  std::span<const Grant> turn(Picoseconds now);

  /// What a work-group of `threads` threads of the launch takes, and gives back.
  const Footprint& footprint(LaunchId launch, std::uint32_t threads) const {
    return progress_.footprint(launch, threads);
  }
  const LaunchProgress& progress() const { return progress_; }
  const WaitLedger& waits() const { return waits_; }
  /// Books what launches wait for until `now`.
  void settle_waits(Picoseconds now) { waits_.settle(now); }
  /// Contexts that were free up to `now`, and why. Ask once, when the run is over.
  std::vector<IdleUse> take_idle(Picoseconds now) { return idle_.take(now); }

  // For the diagnosis of a deadlock.
  const FitSearch& search() const { return search_; }
  /// Launches that were blocked in the last turn, in this order.
  std::vector<LaunchId> blocked() const { return waits_.waiting(); }
  /// Two launches that are blocked together.
  bool request_alike(LaunchId a, LaunchId b) const { return kinds_[index_of(a)] == kinds_[index_of(b)]; }
  bool has_free_port() const { return ports_.has_free(); }
  /// The core's partially placed work-group holds a port.
  bool holds_port(CoreId core) const {
    return partials_.contains(index_of(core)) && partials_.on(index_of(core))->holds_port;
  }

  // What lets work-groups of one launch follow each other in their slots without turns.
  /// A turn before which only a whole work-group of so many threads of the launch has ended, on one of these cores,
  /// would place the launch's next one there, and leave everything else as it is, whichever core that was.
  bool only_reuses_slots(LaunchId launch, std::uint32_t threads, std::span<const CoreId> cores) const;
  /// The next work-group of the launch was placed in the only slot that had come free, on this core.
  bool placement_remembers() const { return search_.placement_remembers(); }
  void note_choice(CoreId core) { search_.choose_only(core); }
  /// So many slots were reused, the last of them there.
  void slots_reused(LaunchId launch, std::uint64_t count, CoreId last) {
    last_changed_ = index_of(last);
    progress_.take(launch, count);
  }

  /// All on which its next turns depend while no launch arrives and none but `present` begins or ends. To be asked
  /// after a turn. False if the placement does not describe its state.
  bool visit_state(StateVisitor& visitor, std::span<const LaunchId> present, Picoseconds now);

 private:
  void complete_partials(Picoseconds now);
  void complete(CoreId core, PartialGroup& partial, Picoseconds now);
  void release_if_empty(CoreId core);
  void dismiss(LaunchId launch, Picoseconds now);
  void wait_for_remainders(Picoseconds now);
  /// Children count with their parents, which may wait for them.
  bool counts(LaunchId launch) const { return workload_.launches[index_of(launch)].parent() == nullptr; }
  MayBegin may_begin() const;
  void begin(LaunchId launch);
  bool place_next(LaunchId launch, Picoseconds now);
  void block(LaunchId launch, WaitReason reason, Picoseconds now);
  WaitReason why_no_core() const;
  bool place_on_one_core(LaunchId launch, const Footprint& footprint, Picoseconds now);
  void begin_spread(LaunchId launch, const Footprint& footprint);
  bool go_on_spreading(Picoseconds now);
  Grant& grant(const PartialGroup& group, CoreId core, std::uint32_t threads, Picoseconds now);
  bool hands_over(LaunchId launch) const;

  const DispatchRules& rules_;
  const Workload& workload_;
  CoreBank& bank_;  ///< visited by the model
  LaunchProgress progress_;
  PartialGroups partials_;
  FitSearch search_;
  IdleWatch idle_;
  std::unique_ptr<KernelChooser> chooser_;
  std::vector<std::uint32_t> kinds_;  ///< [constant] by launch: equal for those that are blocked together
  WaitLedger waits_;
  std::uint64_t begun_ = 0;  ///< launches that have begun and not ended, children apart
  Ports ports_;
  std::vector<LaunchId> remainders_;         ///< all work-groups begun, one placed in part, and not named any more
  IndexSet changed_;                         ///< cores that were given something back since the last turn
  std::optional<std::size_t> last_changed_;  ///< the first core that was, at this turn or the last that saw one
  std::vector<Grant> grants_;                ///< [scratch] of one turn
};

}  // namespace gdsim
