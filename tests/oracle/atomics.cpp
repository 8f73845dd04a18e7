#include "oracle/atomics.hpp"

#include <gdsim/base/decimal.hpp>
#include <gdsim/device/core_resources.hpp>

#include <algorithm>

namespace gdsim::oracle {
namespace {

/// The millionths of a cycle that each of `addresses` addresses needs for its part of `accesses`, rounded up.
UInt128 millionths(const Decimal& per_cycle, std::uint64_t accesses, std::uint64_t addresses) {
  UInt128 numerator = UInt128{accesses} * 1'000'000;
  UInt128 denominator = per_cycle.digits * addresses;
  for (int i = per_cycle.exponent; i < 0; ++i) numerator *= 10;
  for (int i = per_cycle.exponent; i > 0; --i) denominator *= 10;
  return (numerator + denominator - 1) / denominator;
}

StepTime cycles(UInt128 millionths) { return {Decimal{millionths, -6}, StepTime::Unit::cycles}; }

}  // namespace

std::int64_t bytes_of_access(const Atomic& atomic, std::uint32_t lanes) {
  return 4 * static_cast<std::int64_t>(std::min<std::uint64_t>(atomic.addresses, lanes));
}

StepTime slm_time_of_access(const Atomic& atomic, std::uint32_t lanes, const DeviceSpec& device) {
  const UInt128 neighbors = cycles_per_access(*device.slm_access, lanes, 1, 4);
  const std::uint64_t max_on_one = (lanes + atomic.addresses - 1) / atomic.addresses;
  return cycles(std::max(neighbors * 1'000'000,
                         millionths(*device.atomics.slm, max_on_one * device.slm_access->accesses_per_cycle, 1)));
}

StepTime time_at_address(const Atomic& atomic, std::uint32_t lanes, const DeviceSpec& device) {
  const std::uint64_t accesses = atomic.accesses * lanes;
  const bool is_float = atomic.type == AtomicType::floating && device.atomics.global_float;
  UInt128 needed =
      millionths(is_float ? *device.atomics.global_float : *device.atomics.global, accesses, atomic.addresses);
  if (const auto& total = device.atomics.global_total) needed = std::max(needed, millionths(*total, accesses, 1));
  const StepTime time = cycles(needed);
  const bool is_less_than_a_picosecond = resolve(time, *device.clock, Decimal::whole(1))->count == 0;
  return is_less_than_a_picosecond ? StepTime{Decimal::whole(1), StepTime::Unit::picoseconds} : time;
}

}  // namespace gdsim::oracle
