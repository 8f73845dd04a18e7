#include <gdsim/device/atomic_rule.hpp>

#include <gdsim/base/check.hpp>

namespace gdsim {

bool is_atomic_rate(const Decimal& rate) {
  return is_whole(rate, 1000) && !rate.is_zero() && compare(rate, Decimal::whole(1000)) <= 0;
}

StepTime cycles_in_turn(const Decimal& rate, std::uint64_t accesses, std::uint64_t addresses) {
  GDSIM_CHECK(is_atomic_rate(rate) && addresses > 0, "an atomic rate or a number of addresses is out of range");
  const auto thousandths = static_cast<UInt128>(*round_product({rate, Decimal::whole(1000)}));
  constexpr UInt128 millionths = 1'000'000;
  const UInt128 accesses_of_one = UInt128{accesses} * 1000 * millionths;
  const UInt128 served_per_cycle = thousandths * addresses;
  return {Decimal{(accesses_of_one + served_per_cycle - 1) / served_per_cycle, -6}, StepTime::Unit::cycles};
}

StepTime cycles_of_global_atomics(const AtomicRule& rule, std::uint64_t accesses, std::uint64_t addresses) {
  GDSIM_CHECK(rule.global.has_value(), "a device without a rate of global atomics has steps with them");
  const StepTime of_an_address = cycles_in_turn(*rule.global, accesses, addresses);
  if (!rule.global_total) return of_an_address;
  const StepTime of_all = cycles_in_turn(*rule.global_total, accesses, 1);
  return compare(of_an_address.amount, of_all.amount) < 0 ? of_all : of_an_address;
}

StepTime cycles_per_slm_atomic(const SlmAccess& slm, const Decimal& rate, std::uint32_t sub_group,
                               std::uint64_t addresses) {
  const StepTime full_rate{Decimal::whole(cycles_per_access(slm, sub_group, 1, 4)), StepTime::Unit::cycles};
  const std::uint64_t of_one_address = (sub_group + addresses - 1) / addresses;
  const StepTime in_turn = cycles_in_turn(rate, of_one_address * slm.accesses_per_cycle, 1);
  return compare(in_turn.amount, full_rate.amount) < 0 ? full_rate : in_turn;
}

}  // namespace gdsim
