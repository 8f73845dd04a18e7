#include "support/builders.hpp"

#include <gdsim/report/finding.hpp>

#include <catch2/catch.hpp>

using namespace gdsim;
using namespace gdsim::testing;

namespace {

std::string finding_of(const DeviceSpec& device, const Workload& workload) {
  const FullRun run = run_fully(device, workload);
  const LaunchGraph graph = make_launch_graph(workload);
  const std::string title = "Finding";
  return first_finding({title, device, device.dispatch, workload, run.record, graph});
}

/// Of its 9 work-groups one is left over: 8 threads fit on the one core.
Kernel with_tail(std::int64_t microseconds) { return kernel_of(9, 1, {compute(us(microseconds))}); }

}  // namespace

TEST_CASE("how many work-groups a wave has is counted in whole clusters") {
  // Two groups of 3 cores, 8 threads each: 24 of one thread fit in each, but only 4 clusters of 5.
  DeviceSpec device = one_core();
  device.cores = 6;
  device.core_groups = {{"gpc", 2, {}}};
  device.clusters = ClusterRule{"gpc", 8, {}};
  device.dispatch.admission = Admission::whole;
  Kernel kernel = kernel_of(45, 1, {compute(us(1))});
  CHECK_THAT(finding_of(device, workload_of({kernel})), !Catch::StartsWith("Tail"));
  kernel.cluster = {5};
  CHECK_THAT(finding_of(device, workload_of({kernel})), Catch::StartsWith("Tail: 5 of 45 "));
}

TEST_CASE("the finding is about the kernel whose launch lasts longest, of equal ones about the first") {
  const auto one_by_one = [](Workload workload) {
    workload.launches[1].after = {launch(0)};
    return workload;
  };
  const auto finding = [&](std::int64_t first, std::int64_t second) {
    return finding_of(one_core(), one_by_one(workload_of({with_tail(first), with_tail(second)})));
  };
  CHECK_THAT(finding(1, 2), Catch::StartsWith("Tail: 1 of 9 ") && Catch::Contains(" of k1 is left over"));
  CHECK_THAT(finding(2, 1), Catch::Contains(" of k0 is left over"));
  CHECK_THAT(finding(1, 1), Catch::Contains(" of k0 is left over"));
}

TEST_CASE("a plateau is that of all launches if any two are resident at once, whatever ran before them") {
  // A work-group of 1 us begins every 500 ns: two are resident where eight fit.
  const auto finding = [](const std::vector<std::vector<std::uint32_t>>& after) {
    Kernel kernel = kernel_of(64, 1, {compute(us(1))});
    Workload workload = workload_of({kernel, kernel, kernel});
    for (std::size_t i = 0; i < after.size(); ++i)
      for (const std::uint32_t before : after[i]) workload.launches[i].after.push_back(launch(before));
    DeviceSpec device = one_core();
    device.dispatch.interval = DispatchInterval{parse_step_time("500 ns").value.value(), {}};
    return finding_of(device, workload);
  };
  CHECK_THAT(finding({{}, {0}, {1}}), Catch::Contains(" of k0 are resident"));
  CHECK_THAT(finding({{}, {}, {}}), Catch::Contains(" of all launches are resident"));
  CHECK_THAT(finding({{}, {0}, {0}}), Catch::Contains(" of all launches are resident"));
  CHECK_THAT(finding({{}, {}, {0, 1}}), Catch::Contains(" of all launches are resident"));
}

TEST_CASE("a limiter is said in good English, one or several, in every vendor's words") {
  const auto said = [](const std::string& slm, const std::vector<Resource>& limiters) {
    DeviceSpec device = one_core();
    device.terms.slm = slm;
    device.slm.per_core = device.slm.per_work_group = Bytes{4096};
    device.work_groups_per_core.count.reset();
    Kernel kernel = kernel_of(64, 1, {compute(us(1))});
    for (const Resource limiter : limiters) {
      if (limiter == Resource::slm) kernel.needs.slm.total = Bytes{1024};
      if (limiter == Resource::work_group_slots) device.work_groups_per_core.count = 4;
    }
    return finding_of(device, workload_of({kernel}));
  };
  CHECK_THAT(said("SLM", {Resource::slm}), Catch::StartsWith("Limiter: SLM lets 4 work-groups of k0 fit on one core"));
  CHECK_THAT(said("LDS", {Resource::slm}), Catch::StartsWith("Limiter: LDS lets 4 work-groups of k0 fit"));
  CHECK_THAT(said("shared memory", {Resource::slm}), Catch::StartsWith("Limiter: shared memory lets 4 work-groups"));
  CHECK_THAT(said("SLM", {Resource::work_group_slots}),
             Catch::StartsWith("Limiter: work-group slots let 4 work-groups"));
  CHECK_THAT(said("SLM", {Resource::work_group_slots, Resource::slm}),
             Catch::StartsWith("Limiter: work-group slots and SLM let 4 work-groups"));
}
