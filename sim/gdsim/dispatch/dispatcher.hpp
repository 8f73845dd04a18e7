#pragma once

#include <gdsim/base/index_set.hpp>
#include <gdsim/dispatch/candidates.hpp>
#include <gdsim/dispatch/core_claims.hpp>
#include <gdsim/dispatch/core_selections.hpp>
#include <gdsim/dispatch/grant.hpp>
#include <gdsim/dispatch/idle_ledger.hpp>
#include <gdsim/dispatch/kernel_chooser.hpp>
#include <gdsim/dispatch/known_refusals.hpp>
#include <gdsim/dispatch/launch_progress.hpp>
#include <gdsim/dispatch/placement.hpp>
#include <gdsim/dispatch/ports.hpp>
#include <gdsim/dispatch/wait_ledger.hpp>
#include <gdsim/record/segment.hpp>

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace gdsim {

/// The cores of a device and what they share.
struct CoreBank {
  std::vector<Core> cores;
  EngineSets engine_sets;
};

/// Decides which threads go where, and reserves what they need. The only one who takes from a core;
/// whoever gives back to one tells the dispatcher. Invariant: at most one partially placed work-group per
/// core, and it has first call on what that core gets back; so partial dispatch cannot deadlock.
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
  std::span<const Grant> turn(Picoseconds now) {
    place_what_fits(now);
    note_idle(now);
    return grants_;
  }

  /// Whether a turn would only hand the place of a whole work-group of so many threads, if nothing but that is given
  /// back, to the next of its launch, and leave everything else as it is.
  bool can_relay(LaunchId launch, std::uint32_t threads, CoreId core) const;
  /// That turn, and who gets the place, which was not given back and is not taken anew.
  WorkGroupId relay(LaunchId launch, CoreId core, Picoseconds now);

  /// The launch, which can_relay() on all these cores, waits for the same whichever of them was handed on last: then
  /// relays need not be told one by one, if the placement is asked when it remembers.
  bool waits_alike(LaunchId launch, std::span<const CoreId> cores) const;
  bool placement_remembers() const { return placement_remembers_; }
  /// The placement is asked for the only core that has room.
  void choose_again(CoreId core);
  /// So many relays, the last of them there.
  void relayed(LaunchId launch, std::uint64_t count, CoreId last);

  /// What a work-group of `threads` threads of the launch takes, and gives back.
  const Footprint& footprint(LaunchId launch, std::uint32_t threads) const {
    return progress_.footprint(launch, threads);
  }
  /// Work-groups of the launch of which no thread is placed.
  std::uint64_t undispatched(LaunchId launch) const { return progress_.undispatched(launch); }
  /// What kept the launch since it was ready, up to `now`, as far as it was asked for its next work-group.
  const WaitTimes& waited(LaunchId launch) const { return waits_.of(launch); }
  /// Books what is being waited for until `now`.
  void settle_waits(Picoseconds now) { waits_.settle(now); }
  /// Contexts that nobody held up to `now`, and why. Ask once, when the run is over.
  std::vector<IdleUse> take_idle(Picoseconds now) { return idle_.take(now); }
  /// Work-groups of the launch of which a thread is, or was, placed.
  std::uint64_t dispatched(LaunchId launch) const { return progress_.next_number(launch); }
  /// Tells all on which its next turns depend while no launch arrives and none but these begins or ends; work-groups by
  /// their distance from the next. To be asked after a turn. False if it cannot.
  bool tell_state(const GroupCounts& dispatched, StateWords& state) const;
  /// Contexts that nobody held up to `now`, as numbers that only grow.
  IdleSums idle_sums(Picoseconds now) const { return idle_.sums(now); }
  /// Its state recurs later: meanwhile launches were dispatched further, and contexts were idle so long.
  void pass(const Shift& shift, const IdleSums& idle);
  /// And the launch waited so long.
  void add_waited(LaunchId launch, const WaitTimes& waited) { waits_.add(launch, waited); }
  /// How often a core was judged for a work-group, since the beginning: what dispatching costs.
  std::uint64_t judgements() const { return judgements_; }
  /// Every thread of the launch has its place.
  bool is_fully_placed(LaunchId launch) const { return progress_.is_fully_placed(launch); }

  /// For who asks why a run stalled. Launches that the last turn asked in vain, in this order.
  std::vector<LaunchId> asked_in_vain() const { return waits_.waiting(); }
  bool may_be_on(LaunchId launch, CoreId core) const { return selections_.allows(launch, core); }
  /// Two launches that are blocked together.
  bool ask_alike(LaunchId a, LaunchId b) const { return kinds_[index_of(a)] == kinds_[index_of(b)]; }
  /// What keeps such a work-group of the launch from the core; nothing if it could be placed there.
  std::optional<WaitReason> obstacle(LaunchId launch, const Footprint& footprint, CoreId core) const;
  bool has_free_port() const { return ports_.has_free(); }
  /// The core's partially placed work-group holds a port.
  bool holds_port(CoreId core) const { return partials_[index_of(core)] && partials_[index_of(core)]->holds_port; }

 private:
  /// A work-group of which threads are still to be placed: on its core, or, if it is spread, anywhere.
  struct Unfinished {
    LaunchId launch{};
    WorkGroupId work_group{};
    std::uint32_t group_threads = 0;
    std::uint32_t remaining = 0;
    bool holds_port = false;
  };

  void place_what_fits(Picoseconds now);
  void complete_partials(Picoseconds now);
  void complete(CoreId core, Unfinished& partial, Picoseconds now);
  void release_if_empty(CoreId core);
  void dismiss(LaunchId launch, Picoseconds now);
  void wait_for_rests(Picoseconds now);
  /// Children count with their parents, which may wait for them.
  bool counts(LaunchId launch) const { return workload_.launches[index_of(launch)].parent() == nullptr; }
  MayBegin may_begin() const;
  void begin(LaunchId launch);
  void note_idle(Picoseconds now);
  std::optional<IdleCause> why_idle(std::size_t core) const;
  bool place_next(LaunchId launch, Picoseconds now);
  void block(LaunchId launch, WaitReason reason, Picoseconds now);
  WaitReason why_no_core(LaunchId launch) const;
  WaitReason why_not_there(LaunchId launch, std::size_t core) const;
  bool place_on_one_core(LaunchId launch, const Footprint& footprint, Picoseconds now);
  void begin_spread(LaunchId launch, const Footprint& footprint);
  bool go_on_spreading(Picoseconds now);
  std::optional<CoreId> choose();
  Grant& grant(const Unfinished& group, CoreId core, std::uint32_t threads, Picoseconds now);
  std::size_t question_count() const;
  std::size_t question_of(LaunchId launch) const;
  void ask_for(LaunchId launch, const Footprint& footprint);
  void judge(CoreId core);
  bool admits_asked(CoreId core) const;
  bool hands_over(LaunchId launch) const;
  const Kernel& kernel_of(LaunchId launch) const;

  const DispatchRules& rules_;
  const Workload& workload_;
  std::unique_ptr<Placement> placement_;
  CoreBank& bank_;
  CoreSelections selections_;
  CoreClaims claims_;
  std::unique_ptr<KernelChooser> chooser_;
  LaunchProgress progress_;
  std::vector<std::uint32_t> kinds_;      ///< by launch: equal for those that are blocked together
  std::vector<std::uint32_t> questions_;  ///< by launch: equal for those that ask the same, of whatever kernels
  KnownRefusals refusals_;
  WaitLedger waits_;
  std::uint64_t begun_ = 0;  ///< launches that have begun and not ended, children apart
  Ports ports_;
  std::vector<std::optional<Unfinished>> partials_;  ///< by core
  std::vector<LaunchId> rests_;                      ///< all work-groups taken, one in part, and not asked any more
  std::optional<Unfinished> spreading_;              ///< the one spread work-group with threads left over
  IndexSet spread_over_;                             ///< cores that hold threads of it
  Candidates candidates_;                            ///< cores that admit a work-group like asked_
  std::optional<LaunchId> asker_;                    ///< whose next work-group was asked for last
  Admission asked_admission_ = Admission::whole;
  Footprint asked_;
  const Footprint* asked_of_ = nullptr;  ///< whose copy asked_ is: of LaunchProgress, where footprints stay
  IndexSet changed_;                     ///< cores that were given something back since the last turn
  IndexSet judged_;                      ///< cores that may be free for another reason, or less, than before
  std::uint64_t judgements_ = 0;
  std::optional<IdleCause> waiting_;    ///< for which kernel cores are free, and `ports` if ports are why
  std::optional<LaunchId> idle_asker_;  ///< for whose work-group
  const Footprint* idle_of_ = nullptr;  ///< and what that asks
  IdleLedger idle_;
  std::uint32_t contexts_per_core_;
  bool has_plain_order_;                     ///< one launch at a time is asked, and the placement keeps nothing secret
  bool placement_remembers_;                 ///< what it was asked, and answers accordingly
  std::optional<std::size_t> last_changed_;  ///< the first core that was, at this turn or the last that saw one
  std::vector<Grant> grants_;
};

}  // namespace gdsim
