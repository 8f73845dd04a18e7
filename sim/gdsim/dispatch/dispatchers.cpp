#include <gdsim/dispatch/dispatchers.hpp>

#include <gdsim/base/check.hpp>

#include <algorithm>

namespace gdsim {

std::vector<CoreBlock> blocks_by_dispatcher(const DeviceSpec& device, const DispatchRules& rules) {
  auto blocks = core_blocks(device, rules.interval ? rules.interval->dispatchers : "device");
  GDSIM_CHECK(blocks.has_value(), "dispatchers of no known level passed the checks of the rules");
  return *std::move(blocks);
}

DeviceSpec device_of_block(const DeviceSpec& device, const CoreBlock& cores) {
  if (cores.count() == device.cores) return device;
  DeviceSpec own = device;
  own.cores = static_cast<std::uint32_t>(cores.count());
  own.core_groups = cores.groups;
  own.tie_order = {};
  return own;
}

Dispatchers::Dispatchers(const SearchSetting& setting, const PlacementMaker& make_placement) {
  const DeviceSpec& device = setting.device;
  for (const CoreBlock& cores : blocks_by_dispatcher(device, setting.rules)) {
    dispatchers_.push_back(std::make_unique<Dispatcher>(static_cast<std::uint32_t>(dispatchers_.size()), setting, cores,
                                                        make_placement(device_of_block(device, cores))));
    number_by_core_.resize(cores.last, static_cast<std::uint32_t>(dispatchers_.size() - 1));
  }
}

bool Dispatchers::free_until(SimTime now) {
  bool one_is_free = false;
  for (const auto& dispatcher : dispatchers_) {
    if (!dispatcher->busy_until || *dispatcher->busy_until > now) continue;
    dispatcher->busy_until.reset();
    one_is_free = true;
  }
  return one_is_free;
}

bool Dispatchers::one_is_busy() const {
  return std::any_of(dispatchers_.begin(), dispatchers_.end(),
                     [](const auto& dispatcher) { return dispatcher->is_busy(); });
}

std::uint64_t Dispatchers::evaluations() const {
  std::uint64_t sum = 0;
  for (const auto& dispatcher : dispatchers_) sum += dispatcher->search.evaluations();
  return sum;
}

}  // namespace gdsim
