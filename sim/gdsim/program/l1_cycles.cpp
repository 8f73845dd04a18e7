#include <gdsim/program/l1_cycles.hpp>

namespace gdsim {

StepTime l1_cycles_of(const std::vector<L1Access>& accesses, const L1Rule& l1) {
  constexpr std::uint64_t million = 1'000'000;
  UInt128 lines = 0;  // at most 2^50
  for (const L1Access& access : accesses) lines += access.lines;
  const auto per_million_cycles = static_cast<UInt128>(*round_product({l1.lines_per_cycle, Decimal::whole(million)}));
  const UInt128 millionths = (lines * million * million + per_million_cycles - 1) / per_million_cycles;
  return {Decimal{millionths, -6}, StepTime::Unit::cycles};
}

}  // namespace gdsim
