#pragma once

#include <gdsim/base/ids.hpp>

#include <cstdint>
#include <vector>

namespace gdsim {

/// In which order ties between cores are broken.
struct TieOrder {
  enum class Kind : std::uint8_t {
    ascending,        ///< 0, 1, 2, ...
    evens_then_odds,  ///< 0, 2, 4, ..., then 1, 3, 5, ...
    listed            ///< as `cores` says
  };

  Kind kind = Kind::ascending;
  std::vector<CoreId> cores;  ///< each core once; empty unless `listed`

  /// The cores of a device of so many in this order; empty: ascending.
  std::vector<CoreId> of(std::uint32_t count) const {
    if (kind != Kind::evens_then_odds) return cores;
    std::vector<CoreId> order;
    for (std::uint32_t parity = 0; parity < 2; ++parity)
      for (std::uint32_t core = parity; core < count; core += 2) order.push_back(CoreId{core});
    return order;
  }
};

}  // namespace gdsim
