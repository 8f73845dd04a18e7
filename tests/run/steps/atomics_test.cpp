#include "support/builders.hpp"

#include <gdsim/device/device_rules.hpp>

#include <catch2/catch.hpp>

using namespace gdsim;
using namespace gdsim::testing;

// Atomic accesses against closed forms. Sub-groups of 8; a byte of memory takes a picosecond, a cycle a nanosecond.

namespace {

DeviceSpec device_with_atomics(AtomicRule rates) {
  return with(small_device(), [&](DeviceSpec& device) {
    device.cores = 2;
    device.engines_per_core = 1;
    device.contexts_per_engine = 4;
    device.max_work_group_size = 8 * 4;
    device.dispatch.placement = "round_robin";
    device.clock = Hertz{1'000'000'000};
    device.memory.emplace().levels.push_back({"DRAM", std::nullopt, BytesPerSecond{1'000'000'000'000}, std::nullopt});
    device.slm_access = SlmAccess{8, Bytes{4}, {}};
    device.atomics = rates;
  });
}

/// The duration of `threads` work-groups of one thread that execute only this step.
Duration duration(const DeviceSpec& device, std::uint64_t threads, Atomic atomic) {
  return run_fully(device, workload_of({kernel_of(threads, 1, {atomic})})).record.duration();
}

const AtomicRule kOnePerCycle{Decimal::whole(1), Decimal::whole(1)};

}  // namespace

TEST_CASE("accesses of all cores to one address in global memory follow each other, after their traffic") {
  const Duration alone = duration(device_with_atomics(kOnePerCycle), 1, {10, 1, AtomicSpace::global});
  CHECK(alone == ps(10 * 4) + ns(10 * 8));
  const Duration eight = duration(device_with_atomics(kOnePerCycle), 8, {10, 1, AtomicSpace::global});
  CHECK(eight == ps(8 * 10 * 4) + ns(8 * 10 * 8));
}

TEST_CASE("accesses to more addresses wait less, and move more bytes") {
  const DeviceSpec device = device_with_atomics(kOnePerCycle);
  CHECK(duration(device, 8, {10, 4, AtomicSpace::global}) == ps(8 * 10 * 4 * 4) + ns(8 * 10 * 8 / 4));
  CHECK(duration(device, 8, {10, 8, AtomicSpace::global}) == ps(8 * 10 * 8 * 4) + ns(8 * 10));
  CHECK(duration(device, 8, {10, 80, AtomicSpace::global}) == ps(8 * 10 * 8 * 4) + ns(8));
}

TEST_CASE("accesses to many addresses wait for the rate of all addresses together") {
  AtomicRule rule = kOnePerCycle;
  rule.global_total = Decimal::whole(2);
  const DeviceSpec device = device_with_atomics(rule);
  // One address is slower than the total, two are as fast, and more do not help.
  CHECK(duration(device, 8, {10, 1, AtomicSpace::global}) == ps(8 * 10 * 4) + ns(8 * 10 * 8));
  CHECK(duration(device, 8, {10, 2, AtomicSpace::global}) == ps(8 * 10 * 2 * 4) + ns(8 * 10 * 8 / 2));
  CHECK(duration(device, 8, {10, 80, AtomicSpace::global}) == ps(8 * 10 * 8 * 4) + ns(8 * 10 * 8 / 2));
}

TEST_CASE("an address serves floating-point accesses at a rate of their own, if the device has one") {
  AtomicRule rule = kOnePerCycle;
  const Atomic add_float{10, 1, AtomicSpace::global, AtomicType::floating};
  CHECK(duration(device_with_atomics(rule), 8, add_float) == ps(8 * 10 * 4) + ns(8 * 10 * 8));
  rule.global_float = Decimal{25, -2};
  CHECK(duration(device_with_atomics(rule), 8, add_float) == ps(8 * 10 * 4) + ns(8 * 10 * 8 * 4));
  CHECK(duration(device_with_atomics(rule), 8, {10, 1, AtomicSpace::global}) == ps(8 * 10 * 4) + ns(8 * 10 * 8));
}

TEST_CASE("one address of SLM is served at its rate, whatever is served beside") {
  DeviceSpec device = device_with_atomics(kOnePerCycle);
  device.cores = 1;
  device.slm_access->accesses_per_cycle = 4;
  CHECK(duration(device, 4, {10, 1, AtomicSpace::slm}) == ns(4 * 10 * 8));
  CHECK(duration(device, 4, {10, 8, AtomicSpace::slm}) == ns(4 * 10));
}

TEST_CASE("no turn takes less than a picosecond, however many addresses there are") {
  CHECK(duration(device_with_atomics(kOnePerCycle), 1, {1, std::uint64_t{1} << 40, AtomicSpace::global}) ==
        ps(8 * 4 + 1));
}

TEST_CASE("in SLM, the banks are busy as long as the address that most work-items have in common") {
  const DeviceSpec device = device_with_atomics(kOnePerCycle);
  CHECK(duration(device, 1, {10, 1, AtomicSpace::slm}) == ns(10 * 8));
  CHECK(duration(device, 1, {10, 3, AtomicSpace::slm}) == ns(10 * 3));
  CHECK(duration(device, 1, {10, 8, AtomicSpace::slm}) == ns(10));
  CHECK(duration(device, 1, {10, 1'000, AtomicSpace::slm}) == ns(10));
  // Two threads on each of two cores.
  CHECK(duration(device, 4, {10, 1, AtomicSpace::slm}) == ns(2 * 10 * 8));
}

TEST_CASE("an address serves as many accesses per cycle as the device says") {
  const AtomicRule rates{Decimal{25, -1}, Decimal{5, -1}};
  CHECK(duration(device_with_atomics(rates), 1, {10, 1, AtomicSpace::slm}) == ns(10 * 8 * 2 / 5));
  CHECK(duration(device_with_atomics(rates), 1, {10, 1, AtomicSpace::global}) == ps(10 * 4) + ns(10 * 8 * 2));
}

TEST_CASE("cycles that are no whole number are rounded up to a millionth") {
  CHECK(to_text(cycles_in_turn(Decimal::whole(3), 1, 1).amount) == "0.333334");
  CHECK(to_text(cycles_in_turn(Decimal::whole(3), 6, 2).amount) == "1");
  CHECK(to_text(cycles_in_turn(Decimal{1, -3}, 1, 1).amount) == "1000");
  CHECK_FALSE(is_atomic_rate(Decimal{1, -4}));
  CHECK_FALSE(is_atomic_rate(Decimal{15, -4}));
  CHECK_FALSE(is_atomic_rate(Decimal{0, 0}));
  CHECK_FALSE(is_atomic_rate(Decimal::whole(1001)));
}
