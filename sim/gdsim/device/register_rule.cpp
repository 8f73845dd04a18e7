#include <gdsim/device/core_resources.hpp>

#include <algorithm>

namespace gdsim {
namespace {

std::uint64_t round_up(std::uint64_t amount, std::uint64_t granule) {
  return (amount + granule - 1) / granule * granule;
}

}  // namespace

std::uint64_t RegisterRule::per_lane(std::uint64_t registers, std::uint64_t accumulation_registers) const {
  if (accumulation_registers == 0 || accumulation == Accumulation::none) return registers;
  if (accumulation == Accumulation::separate) return std::max(registers, accumulation_registers);
  return round_up(registers, accumulation_alignment) + accumulation_registers;
}

std::uint64_t RegisterRule::per_thread(std::uint64_t per_lane_registers, std::uint32_t sub_group) const {
  return round_up(per_lane_registers * sub_group, granule);
}

std::uint64_t ScalarRegisterRule::per_thread(std::uint64_t registers) const {
  return round_up(registers, granule) + reserve;
}

}  // namespace gdsim
