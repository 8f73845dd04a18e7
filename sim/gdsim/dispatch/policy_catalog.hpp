#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/device/device_spec.hpp>
#include <gdsim/dispatch/placement/placement.hpp>

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gdsim {

/// A placement by its name in device and scenario files.
struct PlacementEntry {
  std::string name;
  PlacementMaker make;
};

/// The placements that files may name. Add an entry to a copy to offer one of your own.
struct PolicyCatalog {
  std::vector<PlacementEntry> placements;

  /// A fresh placement, its cursor at the start; null if there is none of this name, or its entry makes none.
  std::unique_ptr<Placement> make_placement(std::string_view name, const DeviceSpec& device) const;
  /// Makes placements of this name, which the catalog has.
  PlacementMaker maker(std::string_view name) const;
  /// Valid as long as the catalog is as it is.
  std::vector<std::string_view> placement_names() const;
};

/// fill_first, round_robin, least_loaded, most_room, group_round_robin.
const PolicyCatalog& built_in_policies();

/// Returns the names that are empty, occur twice, or are those of built-in placements.
Issues check_own_placements(std::span<const OwnPlacement> own);
/// Returns `policies` with those of the caller, which must have no issue.
PolicyCatalog with_own_placements(PolicyCatalog policies, std::span<const OwnPlacement> own);

}  // namespace gdsim
