#include "support/builders.hpp"

#include <catch2/catch.hpp>

// The report of a deadlock on launches whose work-groups could not be placed: what is short, where, and what holds it.

using namespace gdsim;
using namespace gdsim::testing;

namespace {

/// A kernel whose work-groups never end.
Kernel stuck(std::uint64_t groups, std::uint64_t threads) {
  return kernel_of(groups, threads, {compute(ps(5)), Wait{"never"}});
}

Kernel plain(std::uint64_t groups, std::uint64_t threads) { return kernel_of(groups, threads, {compute(ps(5))}); }

DeviceSpec lone_core(KernelChoice choice = KernelChoice::skip_blocked) {
  return with(small_device(), [&](DeviceSpec& d) {
    d.cores = 1;
    d.dispatch.kernel_choice = choice;
  });
}

std::vector<WaitCause> causes_of(const DeviceSpec& device, const Workload& workload, std::uint32_t id) {
  const RunRecord record = run_fully(device, workload).record;
  REQUIRE(record.outcome == Outcome::deadlock);
  for (const DeadlockedLaunch& stalled : record.deadlock.launches)
    if (stalled.launch == launch(id)) return stalled.wait_causes;
  return {};
}

/// The cause for which launch 1 waits while launch 0 is stuck.
WaitCause cause_of(const DeviceSpec& device, const Workload& workload) {
  const auto found = causes_of(device, workload, 1);
  REQUIRE(found.size() == 1);
  return found.front();
}

void check_amounts(const WaitCause& found, WaitReason reason, std::int64_t needed, std::int64_t free) {
  CHECK(found.reason == reason);
  CHECK(found.core == core(0));
  CHECK(found.needed == needed);
  CHECK(found.free == free);
  CHECK(found.holding == 1);
  REQUIRE(found.holders.size() == 1);
  CHECK(found.holders[0].launch == launch(0));
  CHECK(found.holders[0].work_groups == 1);
  CHECK(found.holders[0].first == std::vector<WorkGroupId>{group(0)});
}

}  // namespace

TEST_CASE("where others hold too much, the record names the resource, what is free of it, and its holders") {
  check_amounts(cause_of(lone_core(), workload_of({stuck(1, 5), plain(1, 4)})), WaitReason::contexts, 4, 3);

  Workload slm = workload_of({stuck(1, 1), plain(1, 1)});
  slm.kernels[0].needs.slm.total = Bytes{5000};
  slm.kernels[1].needs.slm.total = Bytes{4000};
  check_amounts(cause_of(lone_core(), slm), WaitReason::slm, 4000, 3192);

  const auto one_barrier = with(lone_core(), [](DeviceSpec& d) { d.barriers_per_core = 1; });
  const auto with_barrier = workload_of({stuck(1, 1), kernel_of(1, 1, {compute(ps(5)), barrier()})});
  check_amounts(cause_of(one_barrier, with_barrier), WaitReason::barriers, 1, 0);

  const auto one_slot = with(lone_core(), [](DeviceSpec& d) { d.work_groups_per_core = 1; });
  check_amounts(cause_of(one_slot, workload_of({stuck(1, 1), plain(1, 1)})), WaitReason::work_group_slots, 1, 0);
}

TEST_CASE("registers and cores of others are short without an amount") {
  const auto with_registers = with(lone_core(), [](DeviceSpec& d) {
    d.engines_per_core = 1;
    d.registers.emplace().per_engine = 100;
    d.registers->granule = 1;
  });
  Workload workload = workload_of({stuck(1, 1), plain(1, 1)});
  workload.kernels[0].needs.registers = workload.kernels[1].needs.registers = 60;
  workload.kernels[0].sub_group = workload.kernels[1].sub_group = 1;
  workload.kernels[0].range = workload.kernels[1].range = NdRange{{1, 1, 1}, {1, 1, 1}};
  const WaitCause registers = cause_of(with_registers, workload);
  CHECK(registers.reason == WaitReason::registers);
  CHECK_FALSE(registers.needed);
  CHECK(registers.holders.at(0).launch == launch(0));

  const auto exclusive = with(lone_core(), [](DeviceSpec& d) { d.dispatch.core_sharing = CoreSharing::exclusive; });
  const WaitCause sharing = cause_of(exclusive, workload_of({stuck(1, 1), plain(1, 1)}));
  CHECK(sharing.reason == WaitReason::core_sharing);
  CHECK(sharing.holders.at(0).launch == launch(0));
}

TEST_CASE("a core that must drain before its memory is set anew is short of it without an amount, held by all on it") {
  DeviceSpec device = lone_core();
  device.slm.pools = {Bytes{0}, Bytes{4096}, Bytes{8192}};
  device.dispatch.slm_reconfiguration = SlmReconfiguration::drains_core;
  Workload workload = workload_of({stuck(1, 1), plain(1, 1)});
  workload.kernels[0].needs.slm.carveout_percent = 50;
  workload.kernels[1].needs.slm.carveout_percent = 100;
  const WaitCause found = cause_of(device, workload);
  CHECK(found.reason == WaitReason::slm_pool);
  CHECK_FALSE(found.needed);
  CHECK(found.holders.at(0).launch == launch(0));
}

TEST_CASE("cores that lack the same count as one, and the first few holders are listed") {
  const auto device =
      with(small_device(), [](DeviceSpec& d) { d.dispatch.kernel_choice = KernelChoice::skip_blocked; });
  const WaitCause found = cause_of(device, workload_of({stuck(16, 1), plain(1, 8)}));
  CHECK(found.cores == 2);
  CHECK(found.core == core(0));
  CHECK(found.holding == 8);
  CHECK(found.holders.at(0).work_groups == 8);
  CHECK(found.holders.at(0).first == std::vector<WorkGroupId>{group(0), group(1), group(2)});
}

TEST_CASE("the remaining threads of a work-group, and the port that it holds, are recorded") {
  const auto device = with(lone_core(), [](DeviceSpec& d) {
    d.dispatch.admission = Admission::partial;
    d.dispatch.ports = 1;
    d.dispatch.handover = Handover::never;
  });
  const auto workload = workload_of({stuck(1, 5), kernel_of(2, 8, {compute(ps(5)), barrier()}), plain(1, 1)});
  const auto partial = causes_of(device, workload, 1);
  REQUIRE(partial.size() == 3);
  CHECK(partial[0].reason == WaitReason::ports);
  CHECK(partial[0].holders.at(0).launch == launch(1));
  CHECK(partial[2].reason == WaitReason::contexts);
  CHECK(partial[2].rest_of == group(0));
  CHECK(partial[2].needed == 5);
  CHECK(partial[2].free == 0);
  CHECK(partial[2].holding == 2);
  const auto behind = causes_of(device, workload, 2);
  REQUIRE(behind.size() == 2);
  CHECK(behind[0].reason == WaitReason::ports);
  CHECK(behind[0].holders.at(0).launch == launch(1));
}

TEST_CASE("a launch whose turn did not come names the launches before it, one that was not submitted says so") {
  Workload workload = workload_of({stuck(1, 5), plain(1, 8), plain(1, 1)});
  const auto in_order = causes_of(lone_core(KernelChoice::head_only), workload, 2);
  REQUIRE(in_order.size() == 1);
  CHECK(in_order[0].reason == WaitReason::other_launches);
  CHECK(in_order[0].holders.at(0).launch == launch(1));

  const auto one_at_once = with(lone_core(), [](DeviceSpec& d) { d.dispatch.concurrent_kernels = 1; });
  const auto limited = causes_of(one_at_once, workload, 2);
  REQUIRE(limited.size() == 1);
  CHECK(limited[0].holders.at(0).launch == launch(0));

  workload.launches[1].host_waits = {launch(0)};
  CHECK(causes_of(lone_core(), workload, 1).empty());  // its predecessors are known
  const auto behind = causes_of(lone_core(), workload, 2);
  REQUIRE(behind.size() == 1);
  CHECK(behind[0].reason == WaitReason::host);
}

TEST_CASE("a long chain of launches that wait for one that is stuck is followed to its end") {
  Workload workload = workload_of({stuck(1, 1)});
  constexpr std::uint32_t launches = 200'000;
  for (std::uint32_t i = 1; i < launches; ++i) {
    Launch next = workload.launches.front();
    next.name = "l" + std::to_string(i);
    workload.launches.push_back(next);
  }
  for (std::uint32_t i = 0; i + 1 < launches; ++i) workload.launches[i].after = {LaunchId{i + 1}};
  const RunRecord record = run_fully(lone_core(), workload).record;
  CHECK(record.outcome == Outcome::deadlock);
  CHECK(record.deadlock.launches.size() == launches);
  CHECK(record.deadlock.launch_cycle.empty());
}
