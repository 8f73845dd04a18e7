#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/dispatch/placement/placement.hpp>

#include <memory>
#include <string_view>
#include <vector>

namespace gdsim {

/// A placement by its name in device and scenario files.
struct PlacementEntry {
  std::string_view name;
  std::unique_ptr<Placement> (*make)(const DeviceSpec& device);
};

/// The placements that files may name. Add an entry to a copy to offer one of your own.
struct PolicyCatalog {
  std::vector<PlacementEntry> placements;

  /// A fresh placement, its cursor at the start; null if there is none of this name, or its entry makes none.
  std::unique_ptr<Placement> make_placement(std::string_view name, const DeviceSpec& device) const;
  /// Makes placements of this name, which the catalog has.
  PlacementMaker maker(std::string_view name) const;
  std::vector<std::string_view> placement_names() const;
};

/// fill_first, round_robin, least_loaded, most_room, group_round_robin.
PolicyCatalog built_in_policies();

}  // namespace gdsim
