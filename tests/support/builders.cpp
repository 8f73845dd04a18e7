#include "builders.hpp"

#include <gdsim/compile/compiled_parts.hpp>
#include <gdsim/scenario/read_scenario.hpp>

namespace gdsim::testing {

DeviceSpec small_device() {
  DeviceSpec device;
  device.id = "small";
  device.name = "Small";
  device.clock = Hertz{1'000'000'000};
  device.cores = 2;
  device.engines_per_core = 2;
  device.contexts_per_engine = 4;
  device.sub_group_sizes = {1, 8};
  device.max_work_group_size = 64;
  device.work_groups_per_core = 8;
  device.barriers_per_core = 8;
  device.slm.per_core = Bytes{8192};
  device.slm.per_work_group = Bytes{8192};
  device.dispatch.placement = "fill_first";
  return device;
}

DeviceSpec tiger_lake() { return read_device_model("xe-lp-tgl", {source_path("models")}); }

DeviceSpec one_core() {
  return with(small_device(), [](DeviceSpec& d) { d.cores = 1; });
}

StepTime picoseconds(std::uint64_t count) { return {Decimal::whole(count), StepTime::Unit::picoseconds}; }

Step compute(Duration time) { return Compute{time}; }

Step barrier() { return Barrier{}; }

Variation lock_step() {
  Variation variation;
  variation.is_lock_step = true;
  return variation;
}

Kernel kernel_of(std::uint64_t groups, std::uint64_t threads, Program program) {
  constexpr std::uint64_t sub_group = 8;
  Kernel kernel;
  kernel.range.global = {1, 1, groups * threads * sub_group};
  kernel.range.local = {1, 1, threads * sub_group};
  kernel.sub_group = sub_group;
  kernel.variation = lock_step();
  kernel.program = std::move(program);
  return kernel;
}

Workload workload_of(std::initializer_list<Kernel> kernels) {
  Workload workload;
  for (const Kernel& kernel : kernels) {
    const std::string name = "k" + std::to_string(workload.kernels.size());
    workload.launches.push_back({name, static_cast<KernelId>(workload.kernels.size()), {}, {}});
    workload.kernels.push_back(kernel);
    workload.kernels.back().name = name;
  }
  return workload;
}

Compiled compiled(const DeviceSpec& device, const Workload& workload) {
  return compile(device, device.dispatch, workload).value();
}

RunResult simulate(const DeviceSpec& device, const DispatchRules& rules, const Workload& workload,
                   const InternalRunOptions& options, const PlacementCatalog& policies) {
  return gdsim::simulate(compile(device, rules, workload, policies).value(), options);
}

bool can_run(const DeviceSpec& device, const DispatchRules& rules, const Workload& workload) {
  return static_cast<bool>(compile(device, rules, workload));
}

FullRun run_fully(const DeviceSpec& device, const Workload& workload) {
  return run_fully(device, device.dispatch, workload);
}

FullRun run_fully(const DeviceSpec& device, const DispatchRules& rules, const Workload& workload) {
  CoreTimeline cores(device.cores);
  WorkGroupLog work_groups(workload.launches.size());
  InternalRunOptions options;
  options.keep_timeline = KeepTimeline::yes;
  options.observers = {&cores, &work_groups};
  RunResult result = simulate(device, rules, workload, options);
  return {std::move(result.record), std::move(result.timeline), std::move(cores), std::move(work_groups)};
}

std::vector<std::uint64_t> phase_threads(const RunRecord& record) {
  std::vector<std::uint64_t> threads;
  for (const Phase& phase : record.phases.phases) threads.push_back(phase.resident);
  return threads;
}

std::vector<std::uint32_t> cores_of(const FullRun& run, LaunchId launch) {
  std::vector<std::uint32_t> cores;
  for (const WorkGroupRecord& record : run.work_groups.records_of(launch))
    cores.push_back(static_cast<std::uint32_t>(record.core));
  return cores;
}

std::string source_path(const std::string& relative) { return std::string(GDSIM_SOURCE_ROOT) + "/" + relative; }

}  // namespace gdsim::testing
