#include <gdsim/program/scaled_amount.hpp>

namespace gdsim {

std::uint64_t scaled_wide(std::int64_t amount, DrawnFactor factor) {
  constexpr std::uint64_t one = static_cast<std::uint64_t>(kNoFactor);
  const UInt128 product = static_cast<UInt128>(amount) * static_cast<std::uint64_t>(factor);
  const UInt128 rounded = (product + one / 2) / one;
  if (rounded > static_cast<UInt128>(std::numeric_limits<std::int64_t>::max())) return kTimeOverflow;
  return std::max<std::uint64_t>(static_cast<std::uint64_t>(rounded), 1);
}

}  // namespace gdsim
