#include <gdsim/dispatch/policy_catalog.hpp>

#include <gdsim/base/text.hpp>
#include <gdsim/dispatch/placement/placements.hpp>

#include <algorithm>

namespace gdsim {
namespace {

template <class P>
std::unique_ptr<Placement> make(const DeviceSpec&) {
  return std::make_unique<P>();
}

std::unique_ptr<Placement> make_group_round_robin(const DeviceSpec& device) {
  return std::make_unique<GroupRoundRobin>(device);
}

}  // namespace

const PolicyCatalog& built_in_policies() {
  static const PolicyCatalog catalog{{{"fill_first", make<FillFirst>},
                                      {"round_robin", make<RoundRobin>},
                                      {"least_loaded", make<LeastLoaded>},
                                      {"most_room", make<MostRoom>},
                                      {"group_round_robin", make_group_round_robin}}};
  return catalog;
}

Issues check_own_placements(std::span<const OwnPlacement> own) {
  std::vector<std::string_view> known = built_in_policies().placement_names();
  Issues found;
  for (std::size_t i = 0; i < own.size(); ++i) {
    const std::string& name = own[i].name();
    const std::string path = item_path("dispatch.own_placements", i);
    if (name.empty()) found.push_back({path, "has no name"});
    if (std::find(known.begin(), known.end(), name) != known.end())
      found.push_back({path, in_quotes(name) + " is the name of another placement"});
    known.push_back(name);
  }
  return found;
}

PolicyCatalog with_own_placements(PolicyCatalog policies, std::span<const OwnPlacement> own) {
  for (const OwnPlacement& placement : own)
    policies.placements.push_back({placement.name(), [placement](const DeviceSpec&) {
                                     return std::make_unique<OwnPlacementAdapter>(placement);
                                   }});
  return policies;
}

std::unique_ptr<Placement> PolicyCatalog::make_placement(std::string_view name, const DeviceSpec& device) const {
  for (const PlacementEntry& entry : placements)
    if (entry.name == name) return entry.make ? entry.make(device) : nullptr;
  return nullptr;
}

PlacementMaker PolicyCatalog::maker(std::string_view name) const {
  for (const PlacementEntry& entry : placements)
    if (entry.name == name) return entry.make;
  return {};
}

std::vector<std::string_view> PolicyCatalog::placement_names() const {
  std::vector<std::string_view> names;
  for (const PlacementEntry& entry : placements) names.push_back(entry.name);
  return names;
}

}  // namespace gdsim
