#pragma once

#include <gdsim/record/observer.hpp>
#include <gdsim/record/timeline.hpp>

#include <cstdint>
#include <limits>
#include <map>
#include <utility>
#include <vector>

namespace gdsim {

/// The scope of a residency. A work-group spread over several cores counts on each of them, but once on the device.
enum class Scope : std::uint8_t { core, device };

/// Applies one event of the core or of the device.
inline void apply_fact(const Fact& fact, Scope scope, Residency& resident) {
  switch (fact.kind) {
    case ThreadEvent::placed:
      resident.threads += fact.threads;
      resident.running += fact.threads;
      if (scope == Scope::core ? fact.opens_core : fact.opens_group) ++resident.work_groups;
      if (fact.opens_core) resident.slm = resident.slm + fact.slm;
      return;
    case ThreadEvent::resumed: resident.running += fact.threads; return;
    case ThreadEvent::waiting:
    case ThreadEvent::ended: resident.running -= fact.threads; return;
    case ThreadEvent::released:
      resident.threads -= fact.threads;
      if (scope == Scope::core ? fact.closes_core : fact.closes_group) --resident.work_groups;
      if (fact.closes_core) resident.slm = resident.slm - fact.slm;
      return;
    case ThreadEvent::saved:
      resident.threads -= fact.threads;
      resident.running -= fact.running;
      --resident.work_groups;
      resident.slm = resident.slm - fact.slm;
      return;
    case ThreadEvent::restored:
      resident.threads += fact.threads;
      resident.running += fact.running;
      ++resident.work_groups;
      resident.slm = resident.slm + fact.slm;
      return;
  }
}

/// Computes DeviceCounts from facts alone, independently of the state of the cores. Not thread-safe.
class DeviceCounter {
 public:
  explicit DeviceCounter(std::uint32_t cores) : threads_by_core_(cores, 0) {}

  void apply(const Fact& fact);
  const DeviceCounts& counts() const { return counts_; }

 private:
  DeviceCounts counts_;
  std::vector<std::uint32_t> threads_by_core_;
};

inline void DeviceCounter::apply(const Fact& fact) {
  apply_fact(fact, Scope::device, counts_.resident);
  std::uint32_t& on_core = threads_by_core_[index_of(fact.core)];
  if (fact.kind == ThreadEvent::placed || fact.kind == ThreadEvent::restored) {
    if (on_core == 0 && fact.threads > 0) ++counts_.cores_busy;
    on_core += fact.threads;
    if (fact.opens_group && !fact.fills_group) ++counts_.work_groups_partial;
    if (fact.fills_group && !fact.opens_group) --counts_.work_groups_partial;
  } else if ((fact.kind == ThreadEvent::released || fact.kind == ThreadEvent::saved) && fact.threads > 0) {
    on_core -= fact.threads;
    if (on_core == 0) --counts_.cores_busy;
  }
}

/// The residency of one core, in a compact form: a run keeps millions of them.
struct CoreResidency {
  std::uint32_t threads = 0;
  std::uint32_t running = 0;
  std::uint32_t work_groups = 0;
  Bytes slm;

  std::uint32_t stalled() const { return threads - running; }
};

/// From `time` on, `core` is in this state.
struct CorePoint {
  SimTime time;
  CoreId core{};
  CoreResidency resident;
};

/// The residency of every core over time as exact change points, ordered by time, then core. It begins with one point
/// for every core at the first dispatch.
class CoreTimeline : public Observer {
 public:
  explicit CoreTimeline(std::uint32_t cores) : now_(cores), written_(cores) {}

  Detail detail() const override { return Detail::everything; }
  void on_instant(const Instant& now) override;
  const ChangePoints<CorePoint>& points() const { return points_; }

 private:
  std::vector<Residency> now_;
  std::vector<Residency> written_;
  std::vector<CoreId> touched_;
  ChangePoints<CorePoint> points_;
};

/// Says whether all threads of a work-group have been placed, and whether the work-group is on its core.
enum class GroupPlacement : std::uint8_t {
  partial,
  full,
  saved  ///< all threads are placed, but their context is saved, because another process has the device
};

/// The state of a work-group on one core.
struct GroupState {
  std::uint32_t threads = 0;  ///< that hold a context
  std::uint32_t waiting = 0;  ///< of these, at a barrier
  std::uint32_t ended = 0;    ///< of these, at the end of their program
  GroupPlacement placement = GroupPlacement::partial;

  std::uint32_t running() const { return threads - waiting - ended; }
  friend bool operator==(const GroupState&, const GroupState&) = default;
};

/// The new state of a work-group on a core.
struct GroupChange {
  enum class Event : std::uint8_t { comes, changes, leaves };
  Event kind{};
  LaunchId launch{};
  WorkGroupId work_group{};
  CoreId core{};
  GroupState state;
};

/// Converts facts into changes of single work-groups on single cores.
class GroupWatch : public Observer {
 public:
  Detail detail() const final { return Detail::everything; }
  void on_instant(const Instant& now) final;

 protected:
  /// Reports all changes of one instant, in the order in which it first touched their work-groups: a work-group that
  /// leaves a core comes before the one that takes its slot. Is called only if there are changes.
  virtual void on_changed(SimTime time, std::span<const GroupChange> changes) = 0;

 private:
  /// The part of a work-group on one core.
  struct PartOnCore {
    CoreId core{};
    GroupState state;
    GroupState reported;
    bool is_reported = false;
    bool has_left = false;
  };
  /// A work-group that has not ended.
  struct Watched {
    GroupPlacement placement = GroupPlacement::partial;
    std::vector<PartOnCore> parts;
    bool is_touched = false;
  };
  using Key = std::pair<LaunchId, WorkGroupId>;

  static PartOnCore& part_on(Watched& watched, CoreId core);
  static void apply(const Fact& fact, Watched& watched);
  void report_changes(const Key& key, Watched& watched);

  std::map<Key, Watched> watched_;
  std::vector<Key> touched_;
  std::vector<GroupChange> changes_;
};

/// A change of a work-group on a core, with its time.
struct GroupPoint {
  SimTime time;
  GroupChange change;
};

/// Records every change of every work-group, in order. It is empty if a run has more than `max` changes.
class GroupTimeline : public GroupWatch {
 public:
  explicit GroupTimeline(std::size_t max = std::numeric_limits<std::size_t>::max()) : max_(max) {}

  const std::vector<GroupPoint>& points() const { return points_; }

 protected:
  void on_changed(SimTime time, std::span<const GroupChange> changes) override;

 private:
  std::size_t max_;
  bool is_given_up_ = false;
  std::vector<GroupPoint> points_;
};

/// The residency of one launch, without the allocated SLM, which is counted by core.
struct LaunchResidency {
  std::uint64_t threads = 0;
  std::uint64_t running = 0;
  std::uint64_t work_groups = 0;

  std::uint64_t stalled() const { return threads - running; }
  friend bool operator==(const LaunchResidency&, const LaunchResidency&) = default;
};

/// From `time` on, `launch` is in this state.
struct LaunchPoint {
  SimTime time;
  LaunchId launch{};
  LaunchResidency resident;
};

/// The residency of every launch over time as exact change points, ordered by time, then launch.
class LaunchTimeline : public Observer {
 public:
  explicit LaunchTimeline(std::size_t launches) : now_(launches), written_(launches) {}

  Detail detail() const override { return Detail::everything; }
  void on_instant(const Instant& now) override;
  const ChangePoints<LaunchPoint>& points() const { return points_; }

 private:
  std::vector<Residency> now_;
  std::vector<LaunchResidency> written_;
  std::vector<LaunchId> touched_;
  ChangePoints<LaunchPoint> points_;
};

}  // namespace gdsim
