#include <gdsim/gdsim.hpp>

#include <iostream>

// Values in, values out: a device and a workload built by hand. Prints the version, the issues of a wrong workload, and
// how long the right one takes.

static_assert(GDSIM_VERSION_MAJOR == 0 && GDSIM_VERSION_MINOR >= 1, "the version is there to be compared");

int main() {
  gdsim::DeviceSpec device;
  device.id = "two-cores";
  device.cores = 2;
  device.engines_per_core = 1;
  device.contexts_per_engine = 4;
  device.sub_group_sizes = {8};
  device.max_work_group_size = 64;
  device.dispatch.placement = "fill_first";

  gdsim::Kernel kernel;
  kernel.name = "work";
  kernel.range = {{1, 1, 96}, {1, 1, 16}};  // 6 work-groups of 2 threads, of which 4 fit
  kernel.sub_group = 8;
  kernel.program = {gdsim::Compute{{gdsim::Decimal::whole(1'000), gdsim::StepTime::Unit::picoseconds}}};

  gdsim::Workload workload{{kernel}, {{"first", gdsim::KernelId{3}, {}}}};
  for (const gdsim::Issue& issue : gdsim::compile(device, device.dispatch, workload).issues())
    std::cout << gdsim::to_text(issue) << '\n';

  workload.launches.front().work = gdsim::KernelId{0};
  const gdsim::Compilation compilation = gdsim::compile(device, device.dispatch, workload);
  if (!compilation) return 1;
  const gdsim::RunResult result = gdsim::simulate(compilation.value());
  std::cout << gdsim::to_text(result.record.duration()) << '\n';
}
