#pragma once

#include <gdsim/device/core_blocks.hpp>
#include <gdsim/device/dispatch_rules.hpp>
#include <gdsim/infer/decision_store.hpp>
#include <gdsim/infer/replay.hpp>

#include <cstdint>
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
std::vector<CoreChoice> core_choices(const PolicyCatalog& policies, const DeviceSpec& device,
                                     const std::vector<CoreGrouping>& groupings);

/// Returns the groupings of a device: itself, its levels, single cores, and equal groups that no level names.
std::vector<CoreGrouping> core_groupings(const DeviceSpec& device);

/// Sets, in `right`, the bits of the decisions for which this choice agrees with the log.
void decide(const Replay& replay, const CoreChoice& choice, const CoreGrouping& grouping, const DeviceSpec& device,
            const PolicyCatalog& policies, DecisionBits& right);

/// Returns the core that this choice takes for the decision with this bit, if all earlier work-groups are on the log's
/// cores, or nullopt if no core has room.
std::optional<CoreId> chosen_core(const Replay& replay, const CoreChoice& choice, const CoreGrouping& grouping,
                                  const DeviceSpec& device, const PolicyCatalog& policies, std::uint32_t bit);

}  // namespace gdsim
