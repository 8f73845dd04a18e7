#pragma once

#include <gdsim/base/containers.hpp>
#include <gdsim/base/decimal.hpp>
#include <gdsim/base/ids.hpp>
#include <gdsim/dispatch/dispatch_state.hpp>
#include <gdsim/record/time_use.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace gdsim {

/// The cause of a core's free contexts: a kernel whose next work-group is not placed there, and why.
struct IdleReason {
  KernelId kernel{};
  WaitReason reason{};
  friend bool operator==(const IdleReason&, const IdleReason&) = default;
};

/// The times for which contexts of each core were free, by reason.
///
/// The sums of a reason are stored together, by core, because most cores have the same reason at the same time.
class IdleLedger {
 public:
  explicit IdleLedger(std::size_t cores) : cores_(cores) {}

  /// Adds `context_time` context-picoseconds for which contexts of the core were free. Without a reason, no work-group
  /// waited to be dispatched.
  void add(CoreId core, const std::optional<IdleReason>& reason, Int128 context_time) {
    if (last_ >= reasons_.size() || reasons_[last_] != reason) last_ = find(reason);
    times_[last_][index_of(core)] += context_time;
  }
  /// Returns each core's sums: time without a reason first, then by kernel and reason. Must be called at most once.
  IdleUses take();

 private:
  std::size_t find(const std::optional<IdleReason>& reason);
  /// Returns the positions in `reasons_`, sorted by kernel, then reason.
  std::vector<std::size_t> in_order() const;

  std::size_t cores_;
  std::size_t last_ = 0;                                   ///< position in `reasons_` of the last add()
  std::vector<std::optional<IdleReason>> reasons_;         ///< in the order of their first add()
  std::vector<std::vector<Int128>> times_;                 ///< by reason, then core
  std::unordered_map<std::uint64_t, std::size_t> places_;  ///< positions in `reasons_`
};

/// The request that explains why contexts of a dispatcher's cores stay free: the last one of a turn whose launch has
/// another work-group to place. It may not have been made, if its launch was refused earlier.
struct LastRequest {
  Request request;
  std::vector<const Footprint*>
      by_partition;  ///< the request of each partition of the launch; empty without partitions

  /// Returns the last request of the dispatcher.
  static LastRequest made_by(const Dispatcher& dispatcher) {
    return {*dispatcher.search.last(), dispatcher.search.requested()};
  }
  bool is_made_by(const Dispatcher& dispatcher) const {
    const Request& made = *dispatcher.search.last();
    return request.launch == made.launch && request.footprint == made.footprint &&
           by_partition == dispatcher.search.requested();
  }
  /// Returns a request for the next work-group of the launch.
  static LastRequest request_of(const DispatchState& state, const Dispatcher& dispatcher, LaunchId launch) {
    LastRequest last{dispatcher.search.make_request(launch, state.progress.next_footprint(launch)), {}};
    if (!state.progress.is_partitioned()) return last;
    for (std::size_t partition = 0; partition < state.progress.partition_count(launch); ++partition)
      last.by_partition.push_back(state.progress.next_footprint(launch, partition));
    return last;
  }
  /// Returns the footprint that is requested of the core, or null if its partition of the launch is exhausted.
  const Footprint* wanted_of(const Dispatcher& dispatcher, CoreId core) const {
    return by_partition.empty() ? request.footprint
                                : by_partition[dispatcher.search.progress().partition_of(request.launch, core)];
  }
  /// Returns true if the launch has another work-group to place, or threads of a spread one.
  bool waits(const DispatchState& state, const Dispatcher& dispatcher) const {
    return state.progress.has_next(request.launch) || dispatcher.partials.spread().has_value();
  }

  /// Returns true if both are for the same work-groups of the same launch.
  friend bool operator==(const LastRequest& a, const LastRequest& b) {
    return a.request.launch == b.request.launch && a.request.footprint == b.request.footprint &&
           a.by_partition == b.by_partition;
  }
};

/// Records how long contexts of one dispatcher's cores stay free from one dispatch turn to the next, and why.
///
/// The reason depends on the contents of a core and on the waiting work. Contents change on a single core; the waiting
/// work changes for all cores. So a turn only sets the kind of work that waits from now on, and the waiting time of
/// each kind is one sum for all cores. Before the contents of a core change, the core is settled: it gets the growth of
/// these sums since it was last settled. If a core's reason may depend on other cores, each turn instead examines the
/// cores that have changed, or all cores if the kind of waiting work has changed.
class IdleWatch {
 public:
  /// All references must outlive this.
  IdleWatch(const DeviceSpec& device, const DispatchState& state, const Dispatcher& dispatcher, IdleLedger& ledger);

  /// `request` is the waiting request, or null if there is none. `held_up` is the reason why it is not placed on a core
  /// on which it fits, or nullopt if it fits on no core.
  void on_turn_end(const LastRequest* request, std::optional<WaitReason> held_up, SimTime now);
  /// Must be called before the contents of the core change.
  void before_change(CoreId core, SimTime now) {
    if (looks_at_all_) return;
    if (state_of(core).settled_at != now) settle(core, now);
  }
  /// Adds the free time up to now to the ledger.
  void settle_all(SimTime now);

  /// Frees memory. Must be the last call, after the run and settle_all().
  void drop() { cores_ = {}; }

 private:
  struct Waiting {
    KernelId kernel{};
    std::optional<WaitReason> held_up;
    friend bool operator==(const Waiting&, const Waiting&) = default;
  };
  /// A kind of waiting work and its waiting time. On each core, all work of one kind waits for the same reason.
  struct WaitingWork {
    std::optional<Waiting> waiting;
    LastRequest request;  ///< the waiting request, if there is one
    Duration time;        ///< waiting time, without the current wait
    SimTime until;        ///< end of its last wait
  };
  using KindKey =
      std::tuple<KernelId, std::size_t, std::uint32_t, LaunchId, const Footprint*, std::vector<const Footprint*>>;
  struct CoreState {
    SimTime settled_at;             ///< the last time at which its free time was added to the ledger
    std::vector<Duration> counted;  ///< by kind: the settled part of its time
    // If each turn looks at all cores: what it saw.
    std::uint64_t free = 0;  ///< number of free contexts
    std::optional<IdleReason> reason;
  };

  CoreState& state_of(CoreId core) { return cores_[index_of(core) - dispatcher_.cores.first]; }
  std::uint64_t free_on(CoreId core) const {
    return contexts_per_core_ - state_.bank.cores[index_of(core)].held_contexts();
  }
  void settle(CoreId core, SimTime now);
  std::optional<IdleReason> reason_on(CoreId core, const std::optional<Waiting>& waiting,
                                      const LastRequest& request) const;
  bool is_of(const WaitingWork& kind) const {
    return waiting_ == kind.waiting && (!waiting_ || request_ == kind.request);
  }
  std::uint32_t kind_of_waiting();
  void look_at_cores(bool all, SimTime now);
  void wait_for(std::uint32_t kind, SimTime now);

  const DispatchState& state_;
  const Dispatcher& dispatcher_;
  IdleLedger& ledger_;
  std::uint32_t contexts_per_core_;
  bool looks_at_all_;
  std::optional<Waiting> waiting_;
  LastRequest request_;             ///< the waiting request
  std::uint64_t seen_ = 0;          ///< the last change that was examined, if each turn looks at all cores
  std::vector<WaitingWork> kinds_;  ///< their waiting times are not used once all cores are settled
  std::map<KindKey, std::uint32_t> known_kinds_;
  RecencyOrder recent_;                    ///< kinds, the most recently waiting one first
  std::optional<std::uint32_t> current_;   ///< the kind that waits; nullopt before the first turn
  std::optional<std::uint32_t> previous_;  ///< the kind that waited before; it often waits again
  SimTime since_;                          ///< when this kind began to wait, or all cores were settled
  std::vector<CoreState> cores_;
};

}  // namespace gdsim
