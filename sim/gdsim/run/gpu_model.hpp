#pragma once

#include <gdsim/dispatch/dispatcher.hpp>
#include <gdsim/record/observer.hpp>
#include <gdsim/record/run_record.hpp>
#include <gdsim/run/copy_engines.hpp>
#include <gdsim/run/events.hpp>
#include <gdsim/run/execution.hpp>
#include <gdsim/run/faults.hpp>
#include <gdsim/run/launch_schedule.hpp>
#include <gdsim/run/loop_watch.hpp>
#include <gdsim/run/period_watch.hpp>
#include <gdsim/run/run_bounds.hpp>
#include <gdsim/run/skipping.hpp>
#include <gdsim/run/succession.hpp>
#include <gdsim/workload/launch_graph.hpp>

#include <atomic>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace gdsim {

/// What may end a run early, or make it wrong on purpose.
struct RunControl {
  Faults faults;
  const std::atomic<bool>* stop = nullptr;
  Skipping skipping = Skipping::yes;
  RunBounds bounds;
  std::vector<WaitSeries*> wait_series = {};
};

/// A device under a workload: what the event loop drives. The only place where resources are given back.
class GpuModel {
 public:
  /// preflight() found no fault. All references, and the observers, must outlive this.
  GpuModel(const DeviceSpec& device, const DispatchRules& rules, const Workload& workload,
           std::unique_ptr<Placement> placement, GpuQueue& queue, std::span<Observer* const> observers,
           const RunControl& control = {});

  void on(const GpuQueue::Batch& batch);
  void before_next();
  /// So much happens at one instant that it may never end, and the run was told to stop or has come to a bound.
  bool has_enough() const {
    return events_ - events_before_ >= kMostAtOnce &&
           (is_to_stop() || (control_.bounds.events && events_ >= *control_.bounds.events));
  }
  /// Tells the observers; false if the run was told to stop or has come to a bound.
  bool instant_over(Picoseconds now);
  /// Nothing happens any more: what launches waited for and held is booked until `now`. Called once.
  void settle(Picoseconds now);

  /// By core, then kernel, of those that had any time. Ask once, when the run is over.
  std::vector<CoreTimeUse> take_time_use();
  /// By core. Ask once, when the run is over.
  std::vector<IdleUse> take_idle() { return dispatcher_.take_idle(queue_.now()); }

  /// Every launch has ended.
  bool is_done() const { return launches_left_ == 0; }
  /// That were handled: fewer than happened, if periods were skipped.
  std::uint64_t events() const { return events_; }
  /// Complete only after settle().
  const std::vector<LaunchRecord>& launches() const { return records_; }
  /// The same, taken. Ask once, when nothing else is asked any more but the graph.
  std::vector<LaunchRecord> take_launches() { return std::move(records_); }
  const DeviceSpec& device() const { return device_; }
  const LaunchGraph& graph() const { return graph_; }
  const std::vector<Core>& cores() const { return bank_.cores; }
  const Execution& execution() const { return execution_; }
  const Dispatcher& dispatcher() const { return dispatcher_; }

 private:
  /// Events of an instant whose end is waited for whatever was asked.
  static constexpr std::uint64_t kMostAtOnce = 1'000'000;

  /// Threads that have ended and keep their contexts until their work-group ends.
  struct Held {
    Part part;
    Picoseconds since;
  };

  /// Accounts that grow by as much in every period that is alike.
  struct Accounts {
    std::vector<Int128> context_time;  ///< by core
    IdleSums idle;
    std::vector<KernelUse> time_use;    ///< of kernels of which launches have begun
    std::vector<WaitTimes> waited;      ///< of present_
    std::vector<Int128> resident_time;  ///< of present_

    Accounts& operator-=(const Accounts& earlier);
  };

  void launch_comes(LaunchId launch);
  void launch_begins(LaunchId launch);
  void launch_goes(LaunchId launch);
  void look_anew();
  void look_for_period(Picoseconds now);
  bool tell_state(GroupCounts& dispatched, StateWords& state);
  void tell_held(GroupIndex group, StateWords& state);
  Accounts accounts(Picoseconds now) const;
  std::vector<std::uint64_t> resident_threads() const;
  bool has_factors_ahead() const;
  std::uint64_t groups_to_pass(const GroupCount& in_one) const;
  std::uint64_t periods_to_pass(Picoseconds now);
  void pass_periods(Picoseconds now, std::uint64_t count);
  void pass(const Accounts& in_one, std::uint64_t count);
  /// Give-backs that are counted one by one must come one by one.
  bool may_pass_periods() const { return may_pass_rounds() && !control_.faults.lost_give_back; }
  /// So must events.
  bool may_pass_rounds() const { return control_.skipping == Skipping::yes && !control_.bounds.events; }
  void look_for_rounds(Picoseconds now);
  void pass_rounds();
  void forget_waits();
  bool is_to_stop() const { return control_.stop != nullptr && control_.stop->load(std::memory_order_relaxed); }

  bool may_relay(const Cohort& cohort) const;
  void relay(CohortIndex index);
  void note_relay(LaunchId launch);
  void look_for_succession();
  bool all_can_relay(LaunchId launch, const std::vector<Place>& places) const;
  Picoseconds next_unknown();
  std::uint64_t let_succeed(LaunchId launch, Succession& succession, std::uint64_t most);
  void give_together(LaunchId launch, Succession& succession);
  void turn();
  void wake_users();
  void begin_copies();
  void arrive(LaunchId launch);
  void end_copy(LaunchId launch);
  void end_threads(CohortIndex cohort);
  void give_back(const ActiveGroup& group, const Part& part);
  void end_group(GroupIndex index);
  void close_on_core(const ActiveGroup& group, CoreId core, std::size_t last);
  void end_launch(LaunchId launch);
  void end_part_of(LaunchId launch);
  void want_turn();
  void count_work_groups();

  const DeviceSpec& device_;
  const Workload& workload_;
  GpuQueue& queue_;
  std::span<Observer* const> observers_;
  CoreBank bank_;
  std::vector<Fact> facts_;               ///< of the current instant
  std::vector<LaunchFact> launch_facts_;  ///< the same
  Dispatcher dispatcher_;
  WaitLog waits_;
  Execution execution_;
  std::vector<std::vector<Held>> held_;  ///< by group: threads that ended and keep their contexts until all have
  LaunchGraph graph_;
  std::vector<LaunchRecord> records_;
  LaunchSchedule schedule_;
  CopyEngines copies_;
  std::vector<std::uint64_t> parts_left_;  ///< by launch: work-groups and children, or its copy
  std::size_t launches_left_;
  bool is_begun_ = false;     ///< observers were told something
  bool copy_begins_ = false;  ///< at this instant
  bool turn_is_due_ = false;
  bool turn_was_taken_ = false;                 ///< at this instant
  std::vector<LaunchId> present_;               ///< launches of kernels that have arrived and not ended
  std::vector<std::size_t> places_in_present_;  ///< by launch
  std::size_t unrepeatable_ = 0;                ///< launches that have begun and not ended and cannot repeat
  PeriodWatch periods_;
  Accounts period_began_with_;
  LoopWatch loops_;
  std::uint64_t comings_and_goings_ = 0;  ///< of threads, at the last look for rounds
  RunControl control_;
  bool relays_;           ///< work-groups may hand on their places
  bool hides_handovers_;  ///< nobody wants to be told of each
  std::optional<LaunchId> relayed_launch_;
  std::uint64_t relayed_ = 0;                          ///< since a succession was last looked for
  std::uint64_t next_succession_ = ~std::uint64_t{0};  ///< relays until the next look
  std::uint64_t give_backs_ = 0;
  std::uint64_t events_ = 0;
  std::uint64_t events_before_ = 0;  ///< this instant
};

}  // namespace gdsim
