#pragma once

#include <gdsim/device/dispatch_rules.hpp>
#include <gdsim/device/dispatcher_cores.hpp>
#include <gdsim/infer/decision_bits.hpp>
#include <gdsim/infer/replay.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gdsim {

/// Groups of cores, as the device has them, or as it might.
struct CoreGrouping {
  std::string level;  ///< the name of the level; `core`: each core by itself; `device`: one group
  CoreGroups levels;  ///< of the device, that it needs
  bool is_of_device = true;
  std::vector<DispatcherCores> groups;
};

/// How it comes about which group of cores takes the next work-group.
enum class GroupTurn : std::uint8_t {
  none,        ///< there is one group
  one_each,    ///< dispatchers in turn, each busy for a while with what it placed
  until_full,  ///< dispatchers in turn, each until nothing more fits
  contiguous,  ///< a partition of the launch
  cyclic       ///< a partition of the launch
};

/// What chooses a core, apart from batches.
struct CoreChoice {
  std::size_t placement = 0;  ///< in the catalog
  TieOrder tie_order;
  bool uses_tie_order = false;
  std::size_t grouping = 0;
  GroupTurn turn = GroupTurn::none;
};

/// Every choice that the catalog knows for a device with these groupings, the first of which is the whole device.
std::vector<CoreChoice> core_choices(const PolicyCatalog& policies, const DeviceSpec& device,
                                     const std::vector<CoreGrouping>& groupings);

/// The groupings of a device: itself, its levels, single cores, and equal groups that no level names.
std::vector<CoreGrouping> core_groupings(const DeviceSpec& device);

/// Sets, in `right`, the bits of the decisions that this choice makes as the log has them.
void decide(const Replay& replay, const CoreChoice& choice, const CoreGrouping& grouping, const DeviceSpec& device,
            const PolicyCatalog& policies, DecisionBits& right);

/// The core that this choice has for the decision with this bit, with all before it where the log has it; nothing if
/// it has none.
std::optional<CoreId> chosen_core(const Replay& replay, const CoreChoice& choice, const CoreGrouping& grouping,
                                  const DeviceSpec& device, const PolicyCatalog& policies, std::uint32_t bit);

}  // namespace gdsim
