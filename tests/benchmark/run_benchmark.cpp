#include <gdsim/run/simulate.hpp>

#include <benchmark/benchmark.h>

// Whole runs through the public API: VectorAdd1, a million whole work-groups, the same with every work-group lasting a
// time of its own, partial dispatch with a barrier, and many launches.

namespace {

using namespace gdsim;

DeviceSpec device_of(std::uint32_t cores, std::uint32_t contexts) {
  DeviceSpec device;
  device.id = "benchmark";
  device.cores = cores;
  device.engines_per_core = 1;
  device.contexts_per_engine = contexts;
  device.sub_group_sizes = {1};
  device.max_work_group_size = contexts;

  device.dispatch.placement = "fill_first";
  return device;
}

Workload workload_of(std::uint64_t groups, std::uint64_t threads, Program program) {
  Kernel kernel;
  kernel.name = "kernel";
  kernel.range = {{1, 1, groups * threads}, {1, 1, threads}};
  kernel.sub_group = 1;
  kernel.program = std::move(program);
  return {{kernel}, {{"launch", KernelId{0}, {}, {}}}};
}

Step compute(std::uint64_t picoseconds) { return Compute{{Decimal::whole(picoseconds), StepTime::Unit::picoseconds}}; }

void measure(benchmark::State& state, const DeviceSpec& device, const Workload& workload) {
  for (auto _ : state) benchmark::DoNotOptimize(simulate(device, device.dispatch, workload));
  const auto groups = static_cast<double>(workload.kernels[0].range.group_count());
  state.counters["ns_per_work_group"] =
      benchmark::Counter(groups, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void vector_add1(benchmark::State& state) {
  DeviceSpec device = device_of(6, 112);
  device.dispatch.admission = Admission::partial;
  measure(state, device, workload_of(53'760, 16, {compute(10'000'000)}));
}

void whole_work_groups(benchmark::State& state) {
  measure(state, device_of(132, 64), workload_of(1'000'000, 8, {compute(static_cast<std::uint64_t>(state.range(0)))}));
}

void jittered_work_groups(benchmark::State& state) {
  Workload workload = workload_of(100'000, 8, {compute(10'000'000)});
  for (std::uint64_t i = 0; i < 100'000; ++i)
    workload.kernels[0].variation.factors.push_back({WorkGroupId{i}, Decimal{9'000 + i * 7'919 % 2'000, -4}});
  measure(state, device_of(132, 64), workload);
}

void partial_with_barrier(benchmark::State& state) {
  DeviceSpec device = device_of(132, 64);
  device.dispatch.admission = Admission::partial;
  measure(state, device, workload_of(100'000, 40, {Barrier{}, compute(10'000'000)}));
}

/// Every thread with its own work, all sharing the issue slots of 96 engines with `contexts` threads each.
void issue_contention(benchmark::State& state) {
  DeviceSpec device = device_of(6, 0);
  device.engines_per_core = 16;
  device.contexts_per_engine = static_cast<std::uint32_t>(state.range(0));
  device.max_work_group_size = 16 * device.contexts_per_engine;
  Workload workload = workload_of(12'500, 16, {Issue{{Decimal::whole(1'000'000), {}}}});
  workload.kernels[0].variation.draw = Draw{Distribution::uniform, Decimal{3, -1}, DrawPer::thread, 1};
  measure(state, device, workload);
}

/// Every work-group with its own work, all sharing the memory.
void memory_contention(benchmark::State& state) {
  DeviceSpec device = device_of(static_cast<std::uint32_t>(state.range(0)), 64);
  MemoryRule memory;
  memory.core_bandwidth = BytesPerSecond{100'000'000'000};
  memory.levels.push_back({"DRAM", std::nullopt, BytesPerSecond{1'000'000'000'000}, std::nullopt});
  device.memory = memory;
  Workload workload = workload_of(100'000, 8, {Memory{Bytes{1 << 16}}});
  workload.kernels[0].variation.draw = Draw{Distribution::uniform, Decimal{3, -1}, DrawPer::work_group, 1};
  measure(state, device, workload);
}

/// A hundred thousand small launches, chained, in eight chains, or all ready at once.
void many_launches(benchmark::State& state) {
  const auto chains = static_cast<std::uint32_t>(state.range(0));
  Workload workload = workload_of(2, 8, {compute(1'000'000)});
  workload.launches.clear();
  for (std::uint32_t i = 0; i < 100'000; ++i) {
    Launch launch{"", KernelId{0}, {}};
    if (i >= chains) launch.after = {LaunchId{i - chains}};
    workload.launches.push_back(launch);
  }
  const DeviceSpec device = device_of(6, 112);
  for (auto _ : state) benchmark::DoNotOptimize(simulate(device, device.dispatch, workload));
}

}  // namespace

// The cost of an event grows no faster than a logarithm: 200,000 threads, 7, 64 and 512 to an engine.
BENCHMARK(issue_contention)->Unit(benchmark::kMillisecond)->Arg(7)->Arg(64)->Arg(512);
// Nor with the number of cores: 8, 64 and 512.
BENCHMARK(memory_contention)->Unit(benchmark::kMillisecond)->Arg(8)->Arg(64)->Arg(512);
BENCHMARK(vector_add1)->Unit(benchmark::kMillisecond);
// The cost does not depend on the simulated duration: 1 ns and 1 s.
BENCHMARK(whole_work_groups)->Unit(benchmark::kMillisecond)->Arg(1'000)->Arg(1'000'000'000);
BENCHMARK(jittered_work_groups)->Unit(benchmark::kMillisecond);
BENCHMARK(partial_with_barrier)->Unit(benchmark::kMillisecond);
BENCHMARK(many_launches)->Unit(benchmark::kMillisecond)->Arg(1)->Arg(8)->Arg(100'000);
