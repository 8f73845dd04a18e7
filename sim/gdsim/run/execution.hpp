#pragma once

#include <gdsim/base/state_words.hpp>
#include <gdsim/dispatch/grant.hpp>
#include <gdsim/record/facts.hpp>
#include <gdsim/record/segment.hpp>
#include <gdsim/record/time_use.hpp>
#include <gdsim/run/children.hpp>
#include <gdsim/run/contention.hpp>
#include <gdsim/run/draws.hpp>
#include <gdsim/run/events.hpp>
#include <gdsim/run/loop_state.hpp>
#include <gdsim/run/meetings.hpp>
#include <gdsim/run/program_plan.hpp>
#include <gdsim/run/skipping.hpp>
#include <gdsim/run/slab.hpp>
#include <gdsim/run/succession.hpp>
#include <gdsim/run/time_ledger.hpp>
#include <gdsim/run/wait_log.hpp>
#include <gdsim/workload/workload.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace gdsim {

/// Threads of one work-group on one core.
struct Part {
  CoreId core{};
  std::uint32_t threads = 0;
  EngineSet engines = EngineSet::none;
};

/// A work-group of which at least one thread has been placed and not all have ended.
struct ActiveGroup {
  LaunchId launch{};
  KernelId kernel{};
  WorkGroupId number{};
  CoreId core{};  ///< of its first thread
  std::uint32_t threads = 0;
  std::uint32_t placed = 0;
  std::uint32_t ended = 0;
  Bytes slm;                              ///< allocated
  std::span<const std::int64_t> amounts;  ///< by op
  DrawnFactor factor = kNoFactor;         ///< on top of them
};

/// Threads that cannot be told apart: same work-group, same core, same step, same end. They travel together.
struct Cohort {
  GroupIndex group{};
  Part part;
  std::uint32_t first_thread = 0;                  ///< one of them: tells them from others of their work-group
  std::uint32_t at = 0;                            ///< the op that they execute
  std::array<std::uint64_t, kMostLoops> rounds{};  ///< done of each loop around it
  DrawnFactor factor = kNoFactor;
  Picoseconds since;             ///< when they began with the op
  std::uint64_t phase = 0;       ///< waiting: the phase of the meeting whose end they wait for
  CohortIndex next = kNoCohort;  ///< waiting: the next at the same meeting

  bool is_alike(const Cohort& other) const {
    return part.core == other.part.core && at == other.at && rounds == other.rounds && factor == other.factor &&
           phase == other.phase;
  }
};

/// Lets placed threads walk their programs: schedules the ends of their steps, lets them share resources, gathers
/// them at meetings. Gives nothing back: that is its owner's.
class Execution {
 public:
  Execution(const DeviceSpec& device, const Workload& workload, GpuQueue& queue, EngineSets& engine_sets,
            std::vector<Fact>& facts, WaitLog& waits, Skipping skipping);

  /// Threads were placed and enter the first step. `slm` is what their work-group occupies.
  void start(const Grant& grant, Bytes slm);
  /// The cohorts of these events have done their steps and enter the next.
  void end_steps(std::span<const Event> events);
  /// Work on a shared resource is done: its users' steps, or they themselves, end.
  void end_work(std::uint32_t resource);
  /// A phase of the meeting is over: those who waited for it go on, equal ones together.
  void open_meeting(GroupIndex group, std::uint32_t meeting);
  /// A child has ended: threads of its parent that wait for it will go on.
  void child_ended(LaunchId child);
  /// Children launched since the last call; valid until the next.
  std::span<const LaunchId> take_launched_children() { return children_.take_launched(); }
  /// The cohort has come to the end of its program; returns what it was. Its work-group's count of ended
  /// threads includes it.
  Cohort end_threads(CohortIndex cohort);
  /// Contexts of threads that ended at `since` come back only now.
  void account_held(const ActiveGroup& group, const Part& part, Picoseconds since);
  /// The cohort, all threads of its work-group, has come to its end, and the work-group `next` of the same launch takes
  /// its place.
  void relay(CohortIndex cohort, WorkGroupId next);
  /// How long the launch's work-groups live; nothing if that is not known when they begin.
  std::optional<LifeTimes> life_times(LaunchId launch) const;
  /// What the launch's work-groups hold, their lives being known; nothing if not each of them is whole on one core.
  std::vector<Place> places_of(LaunchId launch) const;
  /// Who is there has no events any more.
  void leave(std::span<const Place> places);
  /// Who is there now goes on from where he is now.
  void come_back(std::span<const Place> places);
  /// All threads of the work-group have ended.
  void remove_group(GroupIndex group);

  Contention& contention() { return contention_; }
  /// Work-groups that have not ended.
  std::uint64_t active() const { return active_; }
  /// Threads that were placed or have ended so far, as often as some did.
  std::uint64_t comings_and_goings() const { return comings_and_goings_; }
  const ActiveGroup& group(GroupIndex index) const { return groups_[index]; }
  const Cohort& cohort(CohortIndex index) const { return cohorts_[index]; }
  /// Cores besides its first that a spread work-group has come to.
  std::span<const CoreId> more_cores(GroupIndex group) const;
  /// Work-groups that have not ended, by launch and number, with their positions.
  std::vector<GroupIndex> active_groups() const;
  /// Everyone who waits at this meeting.
  std::vector<Cohort> waiting(GroupIndex group, std::uint32_t meeting) const;
  const Meeting& meeting(GroupIndex group, std::uint32_t meeting) const { return meetings_.of(group, meeting); }
  const ProgramPlan& plan_of(const ActiveGroup& group) const { return plans_[index_of(group.kernel)]; }
  Fact fact(FactKind kind, const ActiveGroup& group, const Part& part) const;

  /// Work-groups of this kernel behave alike whenever they come to the same state: nothing is drawn, none is smaller
  /// than others, none launches others.
  bool can_repeat(KernelId kernel) const;
  /// Tells all that is resident or pending, times by their distance from now, work-groups by theirs from the next of
  /// their launch. False if it may not recur: if something else is pending than what such work-groups do, arrivals and
  /// ends of copies, or a resident one has a factor of its own.
  bool tell_state(const GroupCounts& dispatched, StateWords& state);
  void tell_part(const Part& part, StateWords& state) const;
  /// The number of the launch's first work-group from this one on that has a factor of its own; kNoGroup: none has.
  std::uint64_t first_declared(LaunchId launch, std::uint64_t from) const;
  static constexpr std::uint64_t kNoGroup = ~std::uint64_t{0};
  /// The state recurs later: everyone resident has become another, and entered his step that much later.
  void pass(const Shift& shift);
  /// A cohort has done a round of the loop whose rounds are looked at since choose_loop_anew(): the first that someone
  /// came to. True once.
  bool take_loop_head() { return std::exchange(is_at_anchor_, false); }
  void choose_loop_anew();
  /// From now on only loops around that one.
  void choose_outer_loop();
  void tell_loop_state(LoopState& state) const;
  /// How the state `before` has recurred `now`, at this instant; nothing if it has not, or someone came or went.
  std::optional<LoopPeriod> loop_period(const LoopState& before, const LoopState& now) const;
  /// How many more such periods end before `bound` and before anything else happens.
  std::uint64_t rounds_to_pass(const LoopPeriod& period, Picoseconds bound) const;
  /// So many such periods have passed: what threads did in each they did since `before`.
  void pass_rounds(const LoopPeriod& period, std::uint64_t count, const std::vector<KernelUse>& before);
  std::vector<KernelUse> time_use_of_active_kernels() const;

  /// What the kernel's threads did with their time so far, by core.
  std::vector<TimeUse> time_use_of(KernelId kernel) const { return ledger_.of_kernel(kernel); }
  void book(CoreId core, KernelId kernel, const TimeUse& use);

  /// By core, then kernel, of those that had any time. Everyone in the middle of something is counted up to `now`: ask
  /// once, at the end.
  std::vector<CoreTimeUse> take_time_use(Picoseconds now);

 private:
  /// Rounds that pass while their work-group is alone on a core.
  struct LoneRounds {
    CohortIndex cohort{};
    std::uint64_t left = 0;  ///< when they began to
  };

  /// Rounds of other loops, at first, until the one that is looked at should have come again.
  static constexpr std::uint64_t kPatience = 1'000;

  enum class Motion : std::uint8_t { come, leave };

  struct LoopAnchor {
    GroupIndex group{};
    std::uint32_t at = 0;
    std::uint8_t depth = 0;
  };

  static void tell_number(const ActiveGroup& group, const GroupCounts& dispatched, StateWords& state);
  void tell_group(GroupIndex index, const GroupCounts& dispatched, StateWords& state);
  void tell_cohort(const Cohort& cohort, const GroupCounts& dispatched, StateWords& state);
  bool tell_event(Picoseconds time, const Event& event, const GroupCounts& dispatched, StateWords& state);
  GroupIndex open_group(const Grant& grant, Bytes slm);
  void count_on_engines(GroupIndex group, const Part& part, Motion motion);
  void prepare_group(GroupIndex index);
  void enter_program(GroupIndex group, const Part& part, std::uint32_t first_thread);
  void add_core(GroupIndex group, CoreId core);
  Place place_of(CohortIndex cohort, std::uint64_t end) const;
  bool takes_time(const ActiveGroup& group, std::uint32_t op) const;
  void enter_apart(Cohort cohort, std::uint32_t first_thread);
  /// Each thread of the work-group draws for itself.
  bool draws_by_thread(const ActiveGroup& group) const {
    const auto& draw = draws_[index_of(group.kernel)];
    return draw && draw->per == DrawPer::thread && !plan_of(group).is_declared(group.number);
  }
  void join(const Cohort& cohort);
  void merge(Cohort& cohort, const Cohort& other);
  void enter(Cohort& cohort);
  void begin(const Cohort& cohort, const Op& op, Picoseconds at);
  bool skip_rounds(Cohort cohort, const Op& op, std::uint64_t left);
  void end_rounds(Cohort cohort, CohortIndex index, const Op& op);
  void stop_passing(CoreId core);
  void pass_meeting(const Cohort& cohort, std::uint32_t at, std::int64_t times);
  void pass_meetings(const Cohort& cohort, std::uint32_t loop_end, std::int64_t rounds);
  bool has_own_engines(const Cohort& cohort) const;
  bool signals_enough(const Cohort& cohort, std::uint32_t wait) const;
  template <class Visit>
  void visit_round(const Cohort& cohort, std::uint32_t loop_end, Visit&& visit) const;
  template <class Visit>
  Picoseconds go_into_round(Cohort& cohort, Picoseconds time, Visit&& passed) const;
  std::optional<std::uint32_t> loop_from(const Cohort& cohort, std::uint32_t first, std::uint32_t end) const;
  bool shares_something(const Cohort& cohort, const Op& loop_end) const;
  bool is_alone_on_core(GroupIndex group) const {
    return groups_on_[index_of(groups_[group].core)] == 1 && more_cores(group).empty();
  }
  std::optional<Picoseconds> time_of_round(const Cohort& cohort, std::uint32_t loop_end) const;
  std::optional<Picoseconds> time_alone(const Cohort& cohort, std::uint32_t at) const;
  std::optional<Picoseconds> issue_time_alone(const Cohort& cohort, std::uint32_t at) const;
  std::uint32_t threads_on(const Part& part, std::uint32_t pool) const;
  static FairPool<CohortIndex> alone(FairPool<CohortIndex> pool, std::uint32_t threads, std::int64_t work);
  void account_rounds(const Cohort& cohort, Picoseconds time);
  std::int64_t executing_after(const Cohort& cohort, std::uint32_t at, Picoseconds time) const;
  void come_to_loop_head(const Cohort& cohort, const Op& op);
  void leave_loop(const Cohort& cohort, const Op& op);
  void tell_loop_event(Picoseconds time, const Event& event, LoopState& state) const;
  void tell_meetings(GroupIndex group, LoopState& state) const;
  void tell_loop_cohort(CohortIndex index, LoopState& state) const;
  static void end_item(LoopState& state);
  bool add_advance(const LoopState::Item& before, const LoopState::Item& now, LoopPeriod& period) const;
  static std::uint32_t loop_end_around(const ProgramPlan& plan, std::uint32_t at, std::size_t depth);
  bool can_tell_apart(const LoopPeriod& period) const;
  std::vector<LoopPeriod::Course> courses_of(const LoopPeriod::Advance& advance) const;
  std::uint64_t times_done(const Cohort& cohort, const LoopPeriod::Course& course) const;
  bool leads_fit(const std::vector<bool>& stands, LoopPeriod& period) const;
  bool leads_fit_at(GroupIndex group, std::uint32_t number, LoopPeriod& period) const;
  Meeting::Comings comings_after(GroupIndex group, std::uint32_t meeting, const LoopPeriod& period,
                                 std::optional<std::uint64_t> periods) const;
  void pass_meetings_of(GroupIndex group, const LoopPeriod& period, std::uint64_t count);
  std::vector<std::size_t> first_meetings() const;
  std::vector<bool> advancing(const LoopPeriod& period) const;
  static bool moves(const Event& event, const std::vector<bool>& comes_along);
  void begin_issue(const Cohort& cohort, std::int64_t work, Picoseconds at);
  void come(Cohort& cohort, const Op& op);
  bool must_wait(Cohort& cohort, const Op& op);
  void wait(const Cohort& cohort, const Op& op);
  void come_to_child(Cohort& cohort, const Op& op);
  void remove_cohort(CohortIndex cohort);
  bool ends_after(const Cohort& cohort) const;
  std::int64_t amount(const Cohort& cohort) const { return amount_of(cohort, cohort.at); }
  std::int64_t amount_of(const Cohort& cohort, std::uint32_t op) const;
  std::uint64_t number_of_meeting(const Cohort& cohort, const Op& op) const;
  void account_work(const Cohort& cohort, std::int64_t executing, MemoryLimit limit = 0);
  void log_wait(Picoseconds since, std::int64_t waited, std::uint32_t threads, WaitColumn column);
  void log_rounds(const Cohort& cohort, Picoseconds time);
  void log_ops(const Cohort& cohort, std::uint32_t first, std::uint32_t end, WaitSpan at, Picoseconds until);

  const Workload& workload_;
  GpuQueue& queue_;
  EngineSets& engine_sets_;
  std::vector<Fact>& facts_;
  WaitLog& waits_;
  Skipping skipping_;
  std::uint32_t engines_per_core_;
  std::vector<ProgramPlan> plans_;                ///< by kernel
  std::vector<std::optional<FactorDraw>> draws_;  ///< by kernel
  Contention contention_;
  Meetings meetings_;
  Slab<ActiveGroup, GroupIndex> groups_;
  Slab<Cohort, CohortIndex> cohorts_;
  std::vector<GroupIndex> filling_;              ///< by core: the work-group of which threads may still come there
  std::vector<std::vector<CoreId>> more_cores_;  ///< by group, grown only by groups that are spread
  std::vector<std::uint32_t> groups_on_;         ///< by core: work-groups that hold something of it
  std::vector<std::vector<LoneRounds>> lone_;    ///< by core
  std::vector<std::uint32_t> on_engines_;        ///< threads, by group, then issue pool, if engines are known
  GroupIndex opened_{};                          ///< the work-group opened last: the one that may be spread
  Children children_;
  TimeLedger ledger_;
  std::uint64_t active_ = 0;              ///< work-groups
  std::uint64_t comings_and_goings_ = 0;  ///< of threads
  std::optional<LoopAnchor> anchor_;
  std::size_t deepest_anchor_ = kMostLoops - 1;
  bool is_at_anchor_ = false;       ///< at this instant
  std::uint64_t heads_passed_ = 0;  ///< ends of rounds since the last at the anchor
  std::uint64_t patience_ = kPatience;
  std::vector<Cohort> going_together_;      ///< of steps that end at one instant
  std::vector<std::size_t> last_of_group_;  ///< by group: its last in going_together_
  std::vector<Cohort> going_on_;            ///< of a meeting that opens
};

}  // namespace gdsim
