#include "jobs.hpp"

#include <benchmark/benchmark.h>

// Whole runs through the public API: VectorAdd1, a million whole work-groups, the same with every work-group lasting a
// time of its own, partial dispatch with a barrier, and many launches.

namespace {

using namespace gdsim;

using namespace gdsim::benchmarks;

/// Measures the time by work-group of all launches.
void measure(benchmark::State& state, const DeviceSpec& device, const Workload& workload) {
  for (auto _ : state) benchmark::DoNotOptimize(simulate(compile(device, device.dispatch, workload).value()));
  const auto groups = static_cast<double>(workload.kernels[0].range.group_count() * workload.launches.size());
  state.counters["ns_per_item"] =
      benchmark::Counter(groups, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void vector_add1(benchmark::State& state) {
  DeviceSpec device = device_of(6, 112);
  device.dispatch.admission = Admission::partial;
  measure(state, device, workload_of(53'760, 16, {compute(10'000'000)}));
}

/// The cost does not depend on the simulated duration.
void whole_work_groups(benchmark::State& state) {
  measure(state, device_of(132, 64), workload_of(1'000'000, 8, {compute(static_cast<std::uint64_t>(state.range(0)))}));
}

void measure(benchmark::State& state, const Job& job) { measure(state, job.device, job.workload); }

void partial_with_barrier(benchmark::State& state) { measure(state, partial_with_barrier_job(100'000)); }

void issue_contention(benchmark::State& state) {
  measure(state, issue_contention_job(12'500, static_cast<std::uint32_t>(state.range(0))));
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
  measure(state, launches_job(100'000, static_cast<std::uint32_t>(state.range(0))));
}

/// Ready at once, and of 60 sizes: by work-group, the cost does not grow with the number of kernels.
template <KernelChoice kChoice>
void many_kernels(benchmark::State& state) {
  const Job job = many_kernels_job(static_cast<std::uint32_t>(state.range(0)), kChoice);
  for (auto _ : state) benchmark::DoNotOptimize(benchmarks::run(job));
  state.counters["ns_per_item"] =
      benchmark::Counter(static_cast<double>(20 * state.range(0)),
                         benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

}  // namespace

// The cost of an event grows no faster than a logarithm: 200,000 threads, 7, 64 and 512 to an engine.
BENCHMARK(issue_contention)->Unit(benchmark::kMillisecond)->Arg(7)->Arg(64)->Arg(512);
// Nor with the number of cores: 8, 64 and 512.
BENCHMARK(memory_contention)->Unit(benchmark::kMillisecond)->Arg(8)->Arg(64)->Arg(512);
BENCHMARK(vector_add1)->Unit(benchmark::kMillisecond);
// The cost does not depend on the simulated duration: 1 ns and 1 ms.
BENCHMARK(whole_work_groups)->Unit(benchmark::kMillisecond)->Arg(1'000)->Arg(1'000'000'000);
BENCHMARK(partial_with_barrier)->Unit(benchmark::kMillisecond);
BENCHMARK(many_launches)->Unit(benchmark::kMillisecond)->Arg(1)->Arg(8)->Arg(100'000);
BENCHMARK_TEMPLATE(many_kernels, KernelChoice::round_robin)->Unit(benchmark::kMillisecond)->Arg(100)->Arg(1'000);
BENCHMARK_TEMPLATE(many_kernels, KernelChoice::skip_blocked)->Unit(benchmark::kMillisecond)->Arg(100)->Arg(1'000);
