#include <gdsim/device/dispatch_rules.hpp>

namespace gdsim {

std::vector<CoreId> TieOrder::cores_of(std::uint32_t count) const {
  if (kind != Pattern::evens_then_odds) return cores;
  std::vector<CoreId> order;
  for (std::uint32_t parity = 0; parity < 2; ++parity)
    for (std::uint32_t core = parity; core < count; core += 2) order.push_back(CoreId{core});
  return order;
}

}  // namespace gdsim
