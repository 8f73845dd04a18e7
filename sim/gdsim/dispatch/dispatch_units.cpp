#include <gdsim/dispatch/dispatch_units.hpp>

#include <gdsim/base/check.hpp>

#include <algorithm>

namespace gdsim {

std::vector<CoreBlock> blocks_by_dispatcher(const DeviceSpec& device, const DispatchRules& rules) {
  auto parts = core_blocks(device, rules.interval ? rules.interval->dispatchers : "device");
  GDSIM_CHECK(parts.has_value(), "dispatchers of no known level passed the checks of the rules");
  return *std::move(parts);
}

DeviceSpec device_of(const DeviceSpec& device, const CoreBlock& cores) {
  if (cores.count() == device.cores) return device;
  DeviceSpec part = device;
  part.cores = static_cast<std::uint32_t>(cores.count());
  part.core_groups = cores.groups;
  part.tie_order = {};
  return part;
}

DispatchUnits::DispatchUnits(const SearchSetting& setting, const PlacementMaker& make_placement) {
  const DeviceSpec& device = setting.device;
  for (const CoreBlock& cores : blocks_by_dispatcher(device, setting.rules)) {
    units_.emplace_back(static_cast<std::uint32_t>(units_.size()), setting, cores,
                        make_placement(device_of(device, cores)));
    unit_of_core_.resize(cores.last, static_cast<std::uint32_t>(units_.size() - 1));
  }
}

DispatchUnits& DispatchUnits::operator=(const DispatchUnits& other) {
  const auto& [units, unit_of_core, next] = other;
  for (std::size_t i = 0; i < units_.size(); ++i) units_[i] = units[i];
  unit_of_core_ = unit_of_core;
  next_ = next;
  return *this;
}

bool DispatchUnits::can_be_copied() const {
  return std::all_of(units_.begin(), units_.end(),
                     [](const DispatchUnit& unit) { return unit.search.placement_can_be_copied(); });
}

void DispatchUnits::free_until(SimTime now) {
  for (DispatchUnit& unit : units_)
    if (unit.busy_until && *unit.busy_until <= now) unit.busy_until.reset();
}

bool DispatchUnits::one_is_busy() const {
  return std::any_of(units_.begin(), units_.end(), [](const DispatchUnit& unit) { return unit.is_busy(); });
}

std::uint64_t DispatchUnits::evaluations() const {
  std::uint64_t sum = 0;
  for (const DispatchUnit& unit : units_) sum += unit.search.evaluations();
  return sum;
}

bool DispatchUnits::visit_cursors(StateVisitor& visitor) {
  for (DispatchUnit& unit : units_)
    if (!unit.search.visit_placement(visitor)) return false;
  visitor.plain(next_);
  return true;
}

bool DispatchUnits::visit_state(StateVisitor& visitor) {
  auto& [units, unit_of_core, next] = *this;
  visitor.constant(unit_of_core);
  for (auto& [number, cores, partials, search, batch, released, busy_until] : units) {
    visitor.constant(number, cores);
    partials.visit_state(visitor);
    if (!search.visit_state(visitor)) return false;
    batch.visit_state(visitor);
    visitor.shape(busy_until.has_value());
    if (busy_until) visitor.instant(*busy_until);
    for (auto core = released.next(0); core; core = released.next(*core + 1)) visitor.shape(*core);
    visitor.shape(released.size());
  }
  visitor.plain(next);
  return true;
}

}  // namespace gdsim
