#pragma once

#include <gdsim/record/observer.hpp>

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace gdsim {

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
  enum class Kind : std::uint8_t { comes, changes, leaves };
  Kind kind{};
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

}  // namespace gdsim
