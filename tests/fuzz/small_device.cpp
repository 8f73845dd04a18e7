#include "small_device.hpp"
#include <gdsim/scenario/read_scenario.hpp>

namespace gdsim::fuzz {

DeviceSpec small_device(const std::string& id) { return read_device_model(id, {GDSIM_FUZZ_MODELS}); }

}  // namespace gdsim::fuzz
