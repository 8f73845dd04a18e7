#pragma once

#include <gdsim/dispatch/dispatch_state.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace gdsim {

/// Decides which threads go where, and reserves what they need. Only dispatching takes from a core; releases are
/// reported here. Invariant: at most one partially placed work-group per core, and it is first to get what is released
/// there; so partial dispatch cannot deadlock.
class Dispatcher {
 public:
  /// No kernel is refused by the device. Waits and beginnings are noted in the records, by launch. All references must
  /// outlive this.
  Dispatcher(const DeviceSpec& device, const DispatchRules& rules, const Workload& workload,
             const FootprintTable& footprints, const PlacementMaker& make_placement, CoreBank& bank,
             std::vector<LaunchRecord>& records)
      : state_(device, rules, workload, footprints, make_placement, bank, records) {}

  /// The launch is ready since `ready`. The overlapping part of its cost, if there is one, began at `prepared_since`.
  void arrive(LaunchId launch, SimTime ready, SimTime prepared_since) {
    state_.only_waiting_launch.reset();
    state_.begins.arrive(launch, prepared_since);
    state_.chooser->arrive(launch, ready);
    state_.shared.arrived(launch, ready);
    if (state_.shared.contains(launch)) state_.arrived.push_back(launch);
  }
  /// The launch has ended: another may begin, if their number is limited.
  void ended(LaunchId launch) {
    state_.only_waiting_launch.reset();
    state_.begins.ended(launch);
  }
  /// Something is about to be released on the core.
  void before_release(CoreId core, SimTime now) { state_.units.of(core).idle.before_change(core, now); }
  /// Something was released on the core.
  void on_release(CoreId core) { state_.changed.insert(index_of(core)); }

  /// One dispatch turn: completes partially placed work-groups, then places new ones while it can.
  /// The grants are valid until the next turn.
  std::span<const Grant> turn(SimTime now);
  /// Until the next turn, nothing is placed: what waits does so because the device is for others.
  void hold(SimTime now);
  /// When turns have to follow because dispatchers are no longer busy, or launches are prepared: found in the
  /// last turn, in no order.
  std::span<const SimTime> next_turns() const { return state_.next_turns; }

  /// Launches that began in the last turn, in the order in which they began.
  std::span<const LaunchId> begun() const { return state_.begins.begun(); }

  /// What a work-group of `threads` threads of the launch takes, and releases.
  const Footprint& footprint(LaunchId launch, std::uint32_t threads) const {
    return state_.progress.footprint(launch, threads);
  }
  const LaunchProgress& progress() const { return state_.progress; }
  /// Work-groups are placed in batches only while at least so many of their launch are left; nothing: always.
  std::optional<std::uint64_t> left_for_batches() const {
    const auto& batch = state_.rules.batch;
    if (!batch || batch->work_groups < 2) return std::nullopt;
    return batch->left_at_least.on(state_.bank.cores.size());
  }
  const WaitLedger& waits() const { return state_.waits; }
  /// See WaitLedger.
  void log_waits_to(WaitLog& log) { state_.waits.log_to(log); }
  /// Books what launches wait for until `now`.
  void settle_waits(SimTime now) {
    state_.waits.settle(now);
    state_.waits.write_records();
  }
  /// Contexts that were free up to `now`, and why. Call once, when the run is over.
  IdleUses take_idle(SimTime now) {
    state_.units.settle_idle(now);
    state_.units.drop_idle();
    return state_.idle.take();
  }
  /// How often a core was evaluated for a request: what dispatching costs.
  std::uint64_t evaluations() const { return state_.units.evaluations(); }

  /// Its state, between turns.
  const DispatchState& state() const { return state_; }
  DispatchState& state() { return state_; }

 private:
  DispatchState state_;
};

}  // namespace gdsim
