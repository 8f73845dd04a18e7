#include "support/builders.hpp"

#include <catch2/catch.hpp>

// Kernels share a core only under one pool of its SLM. Times were computed by hand.

using namespace gdsim;
using namespace gdsim::testing;

namespace {

/// One core of 8 contexts, whose 8 KiB of SLM can be set to 0, 2, 4 and 8 KiB, and which must drain for that.
DeviceSpec draining() {
  return with(one_core(), [](DeviceSpec& device) {
    device.slm = SlmRule{};
    device.slm.per_core = device.slm.per_work_group = Bytes{8192};
    device.slm.pools = {Bytes{0}, Bytes{2048}, Bytes{4096}, Bytes{8192}};
    device.dispatch.admission = Admission::whole;
    device.dispatch.kernel_choice = KernelChoice::skip_blocked;
    device.dispatch.slm_reconfiguration = SlmReconfiguration::drains_core;
  });
}

Kernel kernel_with(std::int64_t slm, std::uint64_t threads, Duration time) {
  Kernel kernel = kernel_of(1, threads, {compute(time)});
  kernel.needs.slm.total = Bytes{slm};
  return kernel;
}

SimTime second_start(const DeviceSpec& device, const Workload& workload) {
  return *run_fully(device, workload).record.launches[1].first_dispatched;
}

}  // namespace

TEST_CASE("a kernel without SLM leaves none to a core, which must drain for one that needs some") {
  const Workload workload = workload_of({kernel_with(0, 2, ps(10)), kernel_with(1024, 2, ps(5))});
  const FullRun run = run_fully(draining(), workload);
  CHECK(run.record.launches[1].first_dispatched == at(ps(10)));
  CHECK(run.record.launches[1].waited[WaitReason::slm_pool] == ps(10));
  DeviceSpec free = draining();
  free.dispatch.slm_reconfiguration = SlmReconfiguration::free;
  CHECK(second_start(free, workload) == at(ps(0)));
}

TEST_CASE("a kernel that asks for no carve-out joins a core that is set to a larger pool, while that has room") {
  // Two work-groups of 4 threads fit: 4 KiB for 2 KiB each.
  CHECK(second_start(draining(), workload_of({kernel_with(2048, 4, ps(10)), kernel_with(0, 4, ps(5))})) == at(ps(0)));
  CHECK(second_start(draining(), workload_of({kernel_with(2048, 4, ps(10)), kernel_with(1024, 4, ps(5))})) ==
        at(ps(0)));
  // The first one's pool is 4 KiB, all of which it takes; 1 KiB of 8 would be free.
  const Workload full = workload_of({kernel_with(4096, 6, ps(10)), kernel_with(1024, 2, ps(5))});
  const FullRun run = run_fully(draining(), full);
  CHECK(run.record.launches[1].first_dispatched == at(ps(10)));
  CHECK(run.record.launches[1].waited[WaitReason::slm] == ps(10));
  CHECK(run.record.launches[1].waited[WaitReason::slm_pool] == ps(0));
}

TEST_CASE("a kernel with a carve-out shares cores only under that pool") {
  Workload workload = workload_of({kernel_with(2048, 4, ps(10)), kernel_with(0, 4, ps(5))});
  workload.kernels[1].needs.slm.carveout_percent = 0;
  CHECK(second_start(draining(), workload) == at(ps(10)));
  workload.kernels[1].needs.slm.carveout_percent = 50;
  CHECK(second_start(draining(), workload) == at(ps(0)));
  workload.kernels[1].needs.slm.carveout_percent = 100;
  CHECK(second_start(draining(), workload) == at(ps(10)));
}

TEST_CASE("the pool that a kernel gets lets as many of its work-groups reside as all of the SLM would") {
  for (const std::int64_t slm : {0, 100, 1024, 1500, 2048, 3000, 4096, 8192})
    for (const std::uint64_t threads : {1, 2, 3, 8}) {
      Kernel kernel = kernel_with(slm, threads, ps(10));
      kernel.range.global[2] *= 8;
      DeviceSpec free = draining();
      free.dispatch.slm_reconfiguration = SlmReconfiguration::free;
      CHECK(run_fully(draining(), workload_of({kernel})).record.duration() ==
            run_fully(free, workload_of({kernel})).record.duration());
    }
}
