#pragma once

#include <gdsim/base/arithmetic.hpp>
#include <gdsim/base/decimal.hpp>
#include <gdsim/base/ids.hpp>
#include <gdsim/device/clock_schedule.hpp>
#include <gdsim/event/fair_pool.hpp>
#include <gdsim/model/events.hpp>
#include <gdsim/model/memory/memory_clients.hpp>
#include <gdsim/model/memory/rate_classes.hpp>
#include <gdsim/record/time_use.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace gdsim {

// Rule, to the byte: bytes of memory levels.
//
// A memory step counts where it begins: a level counts the step's bytes, times the share of the level at that time,
// rounded down to 2^-20 of a byte. The sum over a kernel's steps is rounded down to a whole byte.

/// The bytes that the threads of each plan have requested from each memory level.
class LevelTraffic {
 public:
  /// Returns the bytes of a plan by level; empty: none.
  std::vector<Int128> bytes_of(std::size_t plan) const {
    std::vector<Int128> bytes;
    if (plan >= sums_.size()) return bytes;
    for (const UInt128 sum : sums_[plan]) bytes.push_back(static_cast<Int128>(sum >> kBits));
    return bytes;
  }

  void add(std::size_t plan, std::uint64_t bytes, const std::vector<Fraction>& shares) {
    if (plan >= sums_.size()) sums_.resize(plan + 1);
    std::vector<UInt128>& sums = sums_[plan];
    sums.resize(shares.size());
    for (std::size_t level = 0; level < shares.size(); ++level)
      sums[level] += part(UInt128{bytes} << kBits, shares[level]);
  }

 private:
  static constexpr unsigned kBits = 20;

  static UInt128 part(UInt128 bytes, const Fraction& share) {
    if (share.is_zero()) return 0;
    return share.is_one() ? bytes : bytes * share.numerator() / share.denominator();
  }

  std::vector<std::vector<UInt128>> sums_;  ///< by plan, then level
};

/// The working sets of a memory (MemoryDomains): the bytes that resident work-groups reuse. The shared bytes of a
/// launch count once in each working set that contains one of its work-groups.
class WorkingSets {
 public:
  explicit WorkingSets(std::size_t count) : bytes_(count, 0) {}

  /// Add and remove a work-group of this launch to and from these working sets, with its own bytes and those that its
  /// launch shares. Return true if any sum changes.
  bool open(LaunchId launch, const std::vector<std::size_t>& sets, std::int64_t own_bytes, std::int64_t launch_bytes);
  bool close(LaunchId launch, const std::vector<std::size_t>& sets, std::int64_t own_bytes, std::int64_t launch_bytes);

  /// Returns the bytes by index.
  const std::vector<Int128>& bytes() const { return bytes_; }

 private:
  std::vector<Int128> bytes_;
  /// The number of resident work-groups by launch and working set, for launches with shared bytes.
  std::map<std::pair<LaunchId, std::size_t>, std::uint32_t> sharers_;
};

// Rule, to the picosecond: memory.
//
// A memory step ends one latency after the last of its bytes was served. The latency is the mean of the levels by their
// parts, as they were before the instant at which the bytes are served, rounded to a picosecond, halves up. A thread
// asks for a chunk at a time: `in_flight` bytes, its kernel's or else the device's, but no more than its step moves;
// without `in_flight`, for all its bytes. A piece of work larger than its chunk is served at the rate at which it alone
// takes bytes / chunk latencies in all: chunk / latency x bytes / (bytes - chunk). A piece that is no larger than a
// chunk is served in a picosecond. All these amounts are without factors. A thread gets no more than it would get if no
// other thread read, nor more than an equal part of its core's limit: the core's bandwidth, and `core_in_flight` per
// latency. Within these limits, each thread gets one common rate times its weight. The common rate is the highest at
// which all together ask no level for more than its bandwidth. So a thread that reads only from a cache is slowed, too,
// while another level is overloaded; this is simpler than max-min fairness per level. Asynchronous loads and stores are
// pieces, too; they ask for all their bytes at once. A store has no latency: neither its own rate nor its core's part
// is limited by one. The working set of a work-group counts from its first thread to the end of its last. The set that
// a launch shares counts while one of its work-groups is resident.

/// The progress of a cohort's work on a shared resource: complete, or up to now.
struct Served {
  CohortIndex cohort{};
  std::int64_t executing = 0;  ///< picoseconds that it would have taken alone; the rest of its time was waiting
  MemoryLimit limit = 0;       ///< for memory, the last limit of its rate
  Duration latency;            ///< for memory, the time from now to the end of its step
};

/// The global memory, shared by threads. The rate of a thread is min(its own, its core's / threads on the core, weight
/// x common rate), see CommonRates. After its bytes are served, the latency follows.
///
/// The threads of one kind on one core form a flow; flows that are served at the same rate form a RateClass. The
/// cost of an arrival or departure is logarithmic in the threads of a flow and the flows of a rate class. Once per
/// instant, the flows that have changed, and all flows of a core that limits its threads, are assigned to rate classes
/// again, and the rate classes get new rates.
class MemoryPool {
 public:
  /// `rates` are by clock.
  MemoryPool(const ClockSchedule& clocks, std::vector<MemoryRates> rates, MemoryDomains domains,
             std::vector<MemoryClient> kinds, std::size_t cores);
  MemoryPool(const MemoryPool&) = delete;  // its parts refer to each other
  MemoryPool& operator=(const MemoryPool&) = delete;

  /// Add and remove the working set of a work-group whose first thread is on this core: `own_bytes`, and `launch_bytes`
  /// of its launch. Return true if that changes any sum of working sets.
  bool on_work_group_opened(CoreId core, LaunchId launch, std::int64_t own_bytes, std::int64_t launch_bytes);
  bool on_work_group_closed(CoreId core, LaunchId launch, std::int64_t own_bytes, std::int64_t launch_bytes);
  /// Adds `threads` equal threads of a plan, each of which begins to move `bytes` bytes.
  void enter(SimTime now, CoreId core, std::size_t plan, std::uint32_t kind, CohortIndex cohort, std::uint32_t threads,
             std::int64_t bytes);
  /// Moves the threads that are done at `now` to `done`.
  void leave_due(SimTime now, std::vector<Served>& done);
  /// Sets new rates. Must be called after all events of an instant have been handled. Returns the time at which the
  /// next thread is done if no thread enters before, or nullopt if there is none.
  std::optional<SimTime> settle(SimTime now);
  /// Sets the current clock. settle() must be called afterwards.
  void set_clock(std::size_t clock) {
    kinds_.set_clock(clock);
    mix_is_due_ = true;
  }
  /// Returns the time at which a thread of this kind that begins to move `bytes` bytes at `begin` is done if its
  /// work-group is alone on the device.
  SimTime isolated_end(SimTime begin, std::uint32_t kind, std::int64_t bytes) const {
    return clocks_.end(begin, [&](std::size_t clock) { return kinds_.isolated_time(clock, kind, bytes); });
  }
  /// Returns the latency from `begin` on of a thread of this kind whose work-group is alone on the device.
  Duration isolated_latency(SimTime begin, std::uint32_t kind) const {
    return clocks_.end(begin, [&](std::size_t clock) { return kinds_.isolated_latency(clock, kind); }) - begin;
  }
  /// Returns the bytes that each plan has requested from each level, up to the last settle().
  const LevelTraffic& traffic() const { return traffic_; }
  /// Appends the executing time so far of threads that are still in the pool to `all`.
  void add_served(SimTime now, std::vector<Served>& all) const;

 private:
  /// Threads of one kind on one core.
  struct Flow {
    struct Member {
      FixedPoint finish;
      CohortIndex cohort;
      std::uint32_t threads;
    };
    std::vector<Member> heap;  ///< the first member to be done is on top
    CoreId core{};
    std::uint32_t kind_in_domain = 0;
    std::uint64_t threads = 0;
    std::uint64_t threads_in_rate_class = 0;  ///< the part of `threads` that the rate class counts
    bool is_changed = false;                  ///< true if it is in changed_flows_
    RateClass* rate_class = nullptr;
    FixedPoint served_offset = 0;  ///< own reading = reading of the rate class's clock + offset, modulo 2^128
    FixedPoint executed_offset = 0;

    // Readings at the last advance.

    FixedPoint served() const { return served_offset + (rate_class ? rate_class->served : 0); }
    FixedPoint executed() const { return executed_offset + (rate_class ? rate_class->executed : 0); }
    /// Returns the reading of the rate class's clock at which the first member is done.
    FixedPoint first_finish() const { return heap.front().finish - served_offset; }
  };
  /// A memory step that begins at this instant.
  struct Entered {
    std::size_t plan;
    std::uint32_t kind_in_domain;
    std::uint64_t bytes;  ///< of all its threads
  };
  struct Core {
    std::uint64_t threads = 0;
    std::vector<std::uint32_t> flows;        ///< flows with threads; within an instant, also flows that had threads
    std::uint64_t max_unlimited = kNoLimit;  ///< number of threads up to which no flow is slowed; may be too low
    bool is_limiting = false;                ///< true if it had more threads when last settled
    bool is_changed = false;                 ///< true if it is in changed_cores_
  };
  static constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();

  const std::vector<std::size_t>& working_sets_of(CoreId core) const {
    return kinds_.domains().working_sets_of(kinds_.domains().domain_of(core));
  }
  std::uint32_t flow_of(CoreId core, std::uint32_t kind_in_domain) {
    for (const std::uint32_t index : cores_[index_of(core)].flows)
      if (flows_[index].kind_in_domain == kind_in_domain) return index;
    return make_flow(core, kind_in_domain);
  }
  std::uint32_t make_flow(CoreId core, std::uint32_t kind_in_domain);
  FixedPoint& executed_before(CohortIndex cohort) {
    const auto index = static_cast<std::size_t>(cohort);
    if (index >= executed_before_.size()) executed_before_.resize(index + 1);
    return executed_before_[index];
  }
  /// Returns the progress of a member of a rate class whose clock of execution has this reading.
  Served progress(const Flow& flow, const Flow::Member& member, FixedPoint reading) const;
  void mark(std::uint32_t flow) {
    if (!std::exchange(flows_[flow].is_changed, true)) changed_flows_.push_back(flow);
  }
  void mark(CoreId core) {
    if (!std::exchange(cores_[index_of(core)].is_changed, true)) changed_cores_.push_back(core);
  }
  /// Returns the latency of threads of this kind whose last bytes are served now.
  Duration latency_from(SimTime now, std::uint32_t kind_in_domain) const {
    if (!clocks_.changes()) return kinds_[kind_in_domain].mix.latency;
    return clocks_.end(now, [&](std::size_t clock) { return kinds_.latency_under(clock, kind_in_domain); }) - now;
  }
  void follow_working_sets();
  void regroup_changed(std::uint32_t flow);
  void regroup_flows(CoreId core);
  bool regroup(std::uint32_t flow);
  void join(std::uint32_t flow, RateClass& rate_class);
  void leave_rate_class(std::uint32_t flow);

  ClockSchedule clocks_;
  MemoryClients kinds_;  ///< from the working sets
  RateClasses rate_classes_;
  std::vector<Flow> flows_;  ///< of the cores, and unused ones
  std::vector<std::uint32_t> unused_flows_;
  std::vector<FixedPoint> executed_before_;   ///< by cohort: the reading of its flow's clock when it entered
  std::vector<Core> cores_;                   ///< from the flows
  std::vector<std::uint32_t> changed_flows_;  ///< flows whose threads have changed; empty between instants
  std::vector<CoreId> changed_cores_;         ///< cores whose flows may all change rate classes; empty between instants
  std::vector<Entered> entered_;              ///< empty between instants
  LevelTraffic traffic_;
  WorkingSets working_sets_;
  bool mix_is_due_ = true;  ///< true if the working sets or the clock have changed at this instant
};

}  // namespace gdsim
