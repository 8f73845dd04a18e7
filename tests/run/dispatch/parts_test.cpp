#include "support/builders.hpp"

#include <rapidcheck/catch.h>
#include <catch2/catch.hpp>

// Parts of a GPU do not wait for each other. Times were computed by hand.

using namespace gdsim;
using namespace gdsim::testing;

namespace {

/// Returns the time at which the launch was placed first.
SimTime start_of(const FullRun& run, std::uint32_t id) { return *run.record.launches[id].first_dispatched; }

/// small_device() without anything that all its cores share.
DeviceSpec with_choice(KernelChoice choice) {
  return with(small_device(), [choice](DeviceSpec& device) { device.dispatch.kernel_choice = choice; });
}

/// Launches of 10 ps in a queue each; each work-group fills one of the two cores.
Workload queues_on(std::vector<CoreSelection> cores, std::uint64_t groups) {
  Workload workload;
  workload.kernels = {kernel_of(groups, 8, {compute(ps(10))})};
  for (std::size_t i = 0; i < cores.size(); ++i) {
    workload.queues.push_back({"q" + std::to_string(i), QueueOrder::in_order, cores[i]});
    Launch launch{.name = "k" + std::to_string(i), .work = KernelId{0}};
    launch.queue = static_cast<QueueId>(i);
    workload.launches.push_back(launch);
  }
  return workload;
}

const CoreSelection kLeft{{core(0), core(0)}};
const CoreSelection kRight{{core(1), core(1)}};

}  // namespace

TEST_CASE("queues on different cores do not wait for each other, whatever the kernel choice") {
  for (const KernelChoice choice :
       {KernelChoice::head_only, KernelChoice::priority, KernelChoice::skip_blocked, KernelChoice::round_robin}) {
    const FullRun run = run_fully(with_choice(choice), queues_on({kLeft, kRight}, 3));
    CHECK(start_of(run, 0) == at(ps(0)));
    CHECK(start_of(run, 1) == at(ps(0)));
    CHECK(run.record.duration() == ps(30));
  }
}

TEST_CASE("a launch waits behind one before it that shares a core with it, and so does what shares one with it") {
  // The first has core 0, the second both, the third core 1, which is free: but the second is before it.
  const FullRun run = run_fully(with_choice(KernelChoice::head_only), queues_on({kLeft, {}, kRight}, 2));
  CHECK(start_of(run, 0) == at(ps(0)));
  CHECK(start_of(run, 1) == at(ps(10)));
  CHECK(start_of(run, 2) == at(ps(20)));
  // Behind the other two, the second does not hold up the third.
  const FullRun last = run_fully(with_choice(KernelChoice::head_only), queues_on({kLeft, kRight, {}}, 2));
  CHECK(start_of(last, 1) == at(ps(0)));
  CHECK(start_of(last, 2) == at(ps(20)));
}

TEST_CASE("a lower priority on other cores does not wait for a higher one") {
  Workload workload = queues_on({kLeft, kRight}, 3);
  workload.queues[0].priority = 5;
  CHECK(start_of(run_fully(with_choice(KernelChoice::priority), workload), 1) == at(ps(0)));
}

TEST_CASE("parts share a dispatcher in turn: a flood on one does not hold up the other until it is over") {
  DeviceSpec device = with_choice(KernelChoice::head_only);
  device.dispatch.interval = DispatchInterval{picoseconds(10), {}};
  const FullRun run = run_fully(device, queues_on({kLeft, kRight}, 4));
  CHECK(start_of(run, 0) == at(ps(0)));
  CHECK(start_of(run, 1) == at(ps(10)));
  CHECK(run.record.duration() == ps(80));  // eight work-groups, one every 10 ps
}

TEST_CASE("a launch that is prepared does not hold up one on other cores") {
  DeviceSpec device = with_choice(KernelChoice::head_only);
  device.launch_cost = LaunchCost{picoseconds(7), {}};
  const FullRun run = run_fully(device, queues_on({kLeft, kRight}, 1));
  CHECK(start_of(run, 0) == at(ps(7)));
  CHECK(start_of(run, 1) == at(ps(7)));
}

TEST_CASE("hardware queues of one part do not hold up those of another, also under one number") {
  DeviceSpec device = with_choice(KernelChoice::skip_blocked);
  for (const HardwareQueueStart starts : {HardwareQueueStart::in_order, HardwareQueueStart::after_end}) {
    device.hardware_queues = HardwareQueueRule{1, starts};
    CHECK(start_of(run_fully(device, queues_on({kLeft, kRight}, 3)), 1) == at(ps(0)));
  }
}

TEST_CASE("what runs on one part of a device does not change when the other part is used") {
  rc::prop("alone or beside others", [] {
    // Round robin goes on after the launch that was served last, whatever its cores.
    DeviceSpec device =
        with_choice(*rc::gen::element(KernelChoice::head_only, KernelChoice::priority, KernelChoice::skip_blocked));
    device.cores = 4;
    device.dispatch.placement = *rc::gen::element<std::string>("fill_first", "least_loaded", "most_room");
    if (*rc::gen::arbitrary<bool>()) device.launch_cost = LaunchCost{picoseconds(7), {}};
    Workload both;
    for (int i = 0; i < 3; ++i)
      both.kernels.push_back(kernel_of(*rc::gen::inRange<std::uint64_t>(1, 6), *rc::gen::inRange<std::uint64_t>(1, 9),
                                       {compute(ps(*rc::gen::inRange(1, 20)))}));
    both.queues = {{"left", QueueOrder::out_of_order, {{core(0), core(1)}}},
                   {"right", QueueOrder::out_of_order, {{core(2), core(3)}}}};
    Workload left = both;
    for (int i = *rc::gen::inRange(1, 8); i > 0; --i) {
      Launch launch{.name = "k" + std::to_string(i), .work = static_cast<KernelId>(*rc::gen::inRange(0, 3))};
      launch.queue = static_cast<QueueId>(*rc::gen::inRange(0, 2));
      launch.at = at(ps(*rc::gen::inRange(0, 30)));
      launch.as_kernel().priority = device.dispatch.kernel_choice == KernelChoice::priority
                                        ? std::optional<std::uint32_t>(*rc::gen::inRange(0, 3))
                                        : std::nullopt;
      both.launches.push_back(launch);
      if (launch.queue == QueueId{0}) left.launches.push_back(launch);
    }
    const FullRun whole = run_fully(device, both);
    const FullRun part = run_fully(device, left);
    std::size_t own = 0;
    for (std::size_t i = 0; i < both.launches.size(); ++i) {
      if (both.launches[i].queue != QueueId{0}) continue;
      RC_ASSERT(whole.record.launches[i].first_dispatched == part.record.launches[own].first_dispatched);
      RC_ASSERT(whole.record.launches[i].ended == part.record.launches[own].ended);
      ++own;
    }
  });
}
