#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/device/device_spec.hpp>
#include <gdsim/dispatch/placement/placements.hpp>

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

/// The placements that files may name. with_own_placements() adds those of the caller.
struct PolicyCatalog {
  std::vector<PlacementEntry> placements;

  /// Returns a new placement with its cursor at the start, or null if no entry has this name or the entry makes none.
  std::unique_ptr<Placement> make_placement(std::string_view name, const DeviceSpec& device) const;
  /// Returns a maker of placements of this name, which the catalog must have.
  PlacementMaker maker(std::string_view name) const;
  /// Returns all names. They are valid until the catalog changes.
  std::vector<std::string_view> placement_names() const;
};

/// Returns the catalog of fill_first, round_robin, least_loaded, most_room and group_round_robin.
const PolicyCatalog& built_in_policies();

/// Returns an issue for each name that is empty, occurs twice, or is that of a built-in placement.
Issues check_own_placements(std::span<const OwnPlacement> own);
/// Returns `policies` with the caller's own placements added. check_own_placements() must have returned no issue.
PolicyCatalog with_own_placements(PolicyCatalog policies, std::span<const OwnPlacement> own);

}  // namespace gdsim
