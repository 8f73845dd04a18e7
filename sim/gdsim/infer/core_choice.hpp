#pragma once

#include <gdsim/device/core_blocks.hpp>
#include <gdsim/device/dispatch_rules.hpp>
#include <gdsim/infer/decision_store.hpp>
#include <gdsim/infer/replay.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gdsim {

/// Groups of cores that the device has, or might have.
struct CoreGrouping {
  std::string level;  ///< the name of the level; `core`: each core by itself; `device`: one group
  CoreGroups levels;  ///< levels that the device needs for it
  bool is_of_device = true;
  std::vector<CoreBlock> groups;
};

/// The selection of the group of cores that takes the next work-group.
enum class GroupOrder : std::uint8_t {
  none,        ///< there is one group
  one_each,    ///< dispatchers cyclically, each busy for a while with its placements
  until_full,  ///< dispatchers cyclically, each until nothing more fits
  contiguous,  ///< a partition of the launch
  cyclic       ///< a partition of the launch
};

/// A rule that chooses a core, apart from batches.
struct CoreChoice {
  std::size_t placement = 0;  ///< in the catalog
  TieOrder tie_order;
  bool uses_tie_order = false;
  std::size_t grouping = 0;
  GroupOrder group_order = GroupOrder::none;
};

/// Returns every choice in the catalog for a device with these groupings. The first grouping is the whole device.
std::vector<CoreChoice> core_choices(const PlacementCatalog& policies, const DeviceSpec& device,
                                     const std::vector<CoreGrouping>& groupings);

/// Returns the groupings of a device: itself, its levels, single cores, and equal groups that no level names.
std::vector<CoreGrouping> core_groupings(const DeviceSpec& device);

/// Sets, in `right`, the bits of the decisions for which this choice agrees with the log.
void decide(const Replay& replay, const CoreChoice& choice, const CoreGrouping& grouping, const DeviceSpec& device,
            const PlacementCatalog& policies, DecisionBits& right);

/// Returns the core that this choice takes for the decision with this bit, if all earlier work-groups are on the log's
/// cores, or nullopt if no core has room.
std::optional<CoreId> chosen_core(const Replay& replay, const CoreChoice& choice, const CoreGrouping& grouping,
                                  const DeviceSpec& device, const PlacementCatalog& policies, std::uint32_t bit);

/// The timing of dispatchers, each with the same cores, by the times of a log. A placement is simultaneous if its
/// dispatcher placed another work-group at the same instant. It is late if its core had room at an earlier instant at
/// which the dispatcher placed a work-group.
struct TurnTiming {
  std::uint64_t placements = 0;  ///< without the first of each dispatcher, and of each launch
  std::uint64_t simultaneous = 0;
  std::uint64_t late = 0;
  std::vector<std::int64_t> waits;  ///< of late placements, since that instant; ascending
  /// The same by the number of threads placed at that instant.
  std::map<std::uint32_t, std::vector<std::int64_t>> waits_by_threads;
  std::uint64_t firsts = 0;  ///< dispatchers that placed something of a launch for the first time
  std::uint64_t idle = 0;    ///< among these, later than another one although the core always had room

  /// Returns true if dispatchers did not wait for each other: at most one of twenty was idle.
  bool are_independent() const { return idle * 20 <= firsts; }
  /// Returns true if placing may have taken time: at most one of twenty placements is simultaneous.
  bool may_take_time() const { return are_independent() && simultaneous * 20 <= placements; }
  /// Returns true if placing may have taken no time: at most one of twenty placements is late.
  bool may_be_instant() const { return are_independent() && late * 20 <= placements; }
};

/// Returns the timing of all sessions together.
TurnTiming turn_timing(const std::vector<Replay>& replays, const CoreGrouping& grouping, std::size_t cores);

}  // namespace gdsim
