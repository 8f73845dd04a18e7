#pragma once

#include <gdsim/dispatch/dispatch_unit.hpp>
#include <gdsim/dispatch/grant.hpp>
#include <gdsim/dispatch/kernel_chooser.hpp>
#include <gdsim/dispatch/launch_progress.hpp>
#include <gdsim/dispatch/launch_begins.hpp>
#include <gdsim/dispatch/ports.hpp>
#include <gdsim/dispatch/wait_ledger.hpp>

#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace gdsim {

/// Decides which threads go where, and reserves what they need. The only class that takes from a core; who gives back
/// to one reports it here. Invariant: at most one partially placed work-group per core, and it has first call on what
/// that core gets back; so partial dispatch cannot deadlock.
///
/// A device has one dispatcher for all its cores, or several, each for cores of its own (DispatchInterval). Which launch is
/// next, ports, and how many launches have begun are theirs together.
class Dispatcher {
 public:
  /// No kernel is refused by the device. All references must outlive this.
  Dispatcher(const DeviceSpec& device, const DispatchRules& rules, const Workload& workload,
             const FootprintTable& footprints, const PlacementMaker& make_placement, CoreBank& bank);

  /// The launch is ready since `ready`.
  void arrive(LaunchId launch, Picoseconds ready) { chooser_->arrive(launch, ready); }
  /// The launch has ended: another may begin, if only so many are allowed at once.
  void ended(LaunchId launch) { begins_.ended(launch); }
  /// Something was given back to the core.
  void gave_back(CoreId core) { changed_.insert(index_of(core)); }

  /// One dispatch turn: completes partially placed work-groups, then places new ones while it can.
  /// The grants are valid until the next turn.
  std::span<const Grant> turn(Picoseconds now);
  /// When turns have to follow because dispatchers are no longer busy, or launches have paid their cost: found in the
  /// last turn, in no order.
  std::span<const Picoseconds> next_turns() const { return next_turns_; }

  /// What a work-group of `threads` threads of the launch takes, and gives back.
  const Footprint& footprint(LaunchId launch, std::uint32_t threads) const {
    return progress_.footprint(launch, threads);
  }
  const LaunchProgress& progress() const { return progress_; }
  const WaitLedger& waits() const { return waits_; }
  /// When the launch began; nothing if it has not.
  std::optional<Picoseconds> begun(LaunchId launch) const { return begins_.begun(launch); }
  /// Books what launches wait for until `now`.
  void settle_waits(Picoseconds now) { waits_.settle(now); }
  /// Contexts that were free up to `now`, and why. Ask once, when the run is over.
  std::vector<IdleUse> take_idle(Picoseconds now) { return idle_.take(now); }

  /// How often a core was evaluated for a request: what dispatching costs.
  std::uint64_t evaluations() const;
  /// The last request of the device's only dispatcher; nothing before the first one.
  const std::optional<Request>& last_request() const { return units_.front().search.last(); }

  // For the diagnosis of a deadlock.
  const CoreSelections& selections() const { return selections_; }
  /// What keeps such a work-group of the launch from the core; nothing if it could be placed there.
  std::optional<WaitReason> stall_reason(LaunchId launch, const Footprint& footprint, CoreId core) const {
    return unit_of(core).search.stall_reason(launch, footprint, core);
  }
  /// Launches that were blocked in the last turn, in this order.
  std::vector<LaunchId> blocked() const { return waits_.waiting(); }
  /// Two launches that are blocked together.
  bool request_alike(LaunchId a, LaunchId b) const { return kinds_[index_of(a)] == kinds_[index_of(b)]; }
  bool has_free_port() const { return ports_.has_free(); }
  /// The core's partially placed work-group holds a port.
  bool holds_port(CoreId core) const {
    const auto& partial = unit_of(core).partials.on(index_of(core));
    return partial && partial->holds_port;
  }

  // What lets work-groups of one launch follow each other in their slots without turns.
  /// A turn before which only a whole work-group of so many threads of the launch has ended, on one of these cores,
  /// would place the launch's next one there, and leave everything else as it is, whichever core that was.
  bool only_reuses_slots(LaunchId launch, std::uint32_t threads, std::span<const CoreId> cores) const;
  /// The next work-group of the launch was placed in the only slot that had come free, on this core.
  bool placement_remembers() const { return units_.front().search.placement_remembers(); }
  void note_choice(CoreId core) { units_.front().search.choose_only(core); }
  /// So many slots were reused, the last of them there.
  void slots_reused(LaunchId launch, std::uint64_t count, CoreId last) {
    last_changed_ = index_of(last);
    progress_.take(launch, count);
  }

  /// All on which its next turns depend while no launch arrives and none but `present` begins or ends. To be asked
  /// after a turn. False if the placement does not describe its state.
  bool visit_state(StateVisitor& visitor, std::span<const LaunchId> present, Picoseconds now);

 private:
  DispatchUnit& unit_of(CoreId core) { return units_[unit_of_core_[index_of(core)]]; }
  const DispatchUnit& unit_of(CoreId core) const { return units_[unit_of_core_[index_of(core)]]; }
  void note_changes();
  bool visit_units(Picoseconds now);
  bool visit(DispatchUnit& unit, Picoseconds now);
  void place_new(DispatchUnit& unit, Picoseconds now);
  void end_turn(Picoseconds now);
  void complete_partials(DispatchUnit& unit, Picoseconds now);
  void complete(DispatchUnit& unit, CoreId core, PartialGroup& partial, Picoseconds now);
  void release_if_empty(DispatchUnit& unit, CoreId core);
  void dismiss(LaunchId launch, Picoseconds now);
  void wait_for_remainders(Picoseconds now);
  MayBegin may_begin() const;
  std::optional<LaunchId> next_launch(Picoseconds now);
  bool may_place(LaunchId launch, Picoseconds now);
  bool place_next(DispatchUnit& unit, LaunchId launch, Picoseconds now);
  void block(LaunchId launch, WaitReason reason, Picoseconds now);
  WaitReason why_no_core(const DispatchUnit& unit) const;
  std::optional<CoreId> choose(DispatchUnit& unit, LaunchId launch);
  bool place_on_one_core(DispatchUnit& unit, LaunchId launch, const Footprint& footprint, Picoseconds now);
  void begin_spread(DispatchUnit& unit, LaunchId launch, const Footprint& footprint, Picoseconds now);
  bool go_on_spreading(DispatchUnit& unit, Picoseconds now);
  Grant& grant(DispatchUnit& unit, const PartialGroup& group, CoreId core, std::uint32_t threads, Picoseconds now);
  bool hands_over(LaunchId launch) const;
  bool takes_time() const;

  const DispatchRules& rules_;
  const Workload& workload_;
  CoreBank& bank_;  ///< visited by the model
  LaunchProgress progress_;
  CoreSelections selections_;           ///< [constant]
  std::vector<std::uint32_t> classes_;  ///< [constant] by launch, see request_classes()
  CoreClaims claims_;
  IdleLedger idle_;
  std::deque<DispatchUnit> units_;            ///< in rising order of cores
  std::vector<std::uint32_t> unit_of_core_;   ///< [constant]
  std::unique_ptr<KernelChooser> chooser_;
  std::vector<std::uint32_t> kinds_;  ///< [constant] by launch: equal for those that are blocked together
  WaitLedger waits_;
  LaunchBegins begins_;
  Ports ports_;
  std::vector<LaunchId> remainders_;         ///< all work-groups begun, one placed in part, and not named any more
  IndexSet changed_;                         ///< cores that were given something back since the last turn
  std::optional<std::size_t> last_changed_;  ///< the first core that was, at this turn or the last that saw one
  std::size_t next_unit_ = 0;                ///< behind the last one that placed something
  Picoseconds per_work_group_;               ///< [constant] of DispatchInterval
  Picoseconds per_thread_;                   ///< [constant] likewise
  std::vector<Grant> grants_;                ///< [scratch] of one turn
  std::vector<Picoseconds> next_turns_;      ///< [scratch] of one turn
};

}  // namespace gdsim
