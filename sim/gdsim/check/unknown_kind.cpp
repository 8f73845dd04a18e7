#include <gdsim/check/unknown_kind.hpp>

#include <gdsim/base/near_names.hpp>

#include <string_view>
#include <vector>

namespace gdsim {

std::string unknown_kind(const std::string& kind, const DeviceSpec& device) {
  if (device.arithmetic.empty())
    return "is a kind of arithmetic, but the device " + device.id +
           " does not say how fast it is at any: its model needs the key `arithmetic`, as in `arithmetic: {" + kind +
           ": 32}`";
  std::vector<std::string_view> known;
  for (const ArithmeticRate& rate : device.arithmetic) known.push_back(rate.kind);
  const std::string hint = did_you_mean(kind, known);
  return "the device " + device.id + " has no arithmetic of this kind;" + (hint.empty() ? "" : hint + ";") +
         " it has: " + join(known);
}

}  // namespace gdsim
