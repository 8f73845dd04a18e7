#include <gdsim/check/unknown_kind.hpp>

#include <gdsim/base/near_names.hpp>
#include <gdsim/device/capability.hpp>

#include <string_view>
#include <vector>

namespace gdsim {

std::string unknown_kind(const std::string& kind, const DeviceSpec& device) {
  if (lacks(device, "arithmetic." + kind))
    return "is a kind of arithmetic that " + device.id + " does not have, says its model (`arithmetic: {" + kind +
           ": none}`)";
  if (device.arithmetic.empty())
    return "is a kind of arithmetic, but the device " + device.id +
           " does not say how fast it is at any: its model needs the key `arithmetic`, as in `arithmetic: {" + kind +
           ": 32}`";
  std::vector<std::string_view> known;
  for (const ArithmeticRate& rate : device.arithmetic) known.push_back(rate.kind);
  const std::string hint = did_you_mean(kind, known);
  return "the model of " + device.id + " does not say how fast it is at this kind;" + (hint.empty() ? "" : hint + ";") +
         " it knows: " + join(known) + "; `device: {base: " + device.id + ", arithmetic: {" + kind + ": 32}}` does";
}

}  // namespace gdsim
