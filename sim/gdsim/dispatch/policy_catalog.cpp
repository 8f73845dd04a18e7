#include <gdsim/dispatch/policy_catalog.hpp>

#include <gdsim/dispatch/placement/fill_first.hpp>
#include <gdsim/dispatch/placement/group_round_robin.hpp>
#include <gdsim/dispatch/placement/least_loaded.hpp>
#include <gdsim/dispatch/placement/most_room.hpp>
#include <gdsim/dispatch/placement/round_robin.hpp>

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

PolicyCatalog built_in_policies() {
  return {{{"fill_first", make<FillFirst>},
           {"round_robin", make<RoundRobin>},
           {"least_loaded", make<LeastLoaded>},
           {"most_room", make<MostRoom>},
           {"group_round_robin", make_group_round_robin}}};
}

std::unique_ptr<Placement> PolicyCatalog::make_placement(std::string_view name, const DeviceSpec& device) const {
  for (const PlacementEntry& entry : placements)
    if (entry.name == name) return entry.make != nullptr ? entry.make(device) : nullptr;
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
