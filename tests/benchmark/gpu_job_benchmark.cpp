#include "by_hand.hpp"
#include "jobs.hpp"

#include <gdsim/model/draws.hpp>

#include <benchmark/benchmark.h>

#include <vector>

// The GPU-shaped job, through the public API and as loops written by hand. The loops are given durations; gdsim draws
// them.

namespace {

using namespace gdsim;
using namespace gdsim::benchmarks;

std::vector<std::int64_t> durations_of(const Job& job) {
  const Kernel& kernel = job.workload.kernels[0];
  std::vector<std::int64_t> durations;
  for (std::uint64_t i = 0; i < kernel.range.group_count(); ++i)
    durations.push_back(
        kernel.variation.draw
            ? scaled(10'000'000, FactorDraw(*kernel.variation.draw).factor({LaunchId{0}, WorkGroupId{i}, 0}))
            : 10'000'000);
  return durations;
}

Job job_of(bool is_jittered, std::uint64_t groups) {
  return is_jittered ? jittered_job(groups) : deterministic_job(groups);
}

void per_group(benchmark::State& state) {
  state.counters["ns_per_item"] = benchmark::Counter(
      static_cast<double>(state.range(0)), benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void simulate_job(benchmark::State& state, const Job& job) {
  for (auto _ : state) benchmark::DoNotOptimize(benchmarks::run(job));
  per_group(state);
}

template <bool kJittered>
void gdsim_job(benchmark::State& state) {
  simulate_job(state, job_of(kJittered, static_cast<std::uint64_t>(state.range(0))));
}

/// The jittered job with factors that are not uniform.
template <Distribution kDistribution>
void drawn_job(benchmark::State& state) {
  simulate_job(state, jittered_job(static_cast<std::uint64_t>(state.range(0)), kDistribution));
}

/// The jittered job with a factor of each thread.
void jittered_threads(benchmark::State& state) {
  simulate_job(state, jittered_threads_job(static_cast<std::uint64_t>(state.range(0)), Release::thread));
}

void run_by_hand(benchmark::State& state, bool is_jittered, ByHand (*run)(const std::vector<std::int64_t>& durations)) {
  const Job job = job_of(is_jittered, static_cast<std::uint64_t>(state.range(0)));
  const std::vector<std::int64_t> durations = durations_of(job);
  ByHand result;
  for (auto _ : state) benchmark::DoNotOptimize(result = run(durations));
  per_group(state);
  if (job.workload.kernels[0].range.group_count() > 1'000'000) return;
  const RunRecord record = benchmarks::run(job).record;
  if (static_cast<std::int64_t>(result.end) != record.end.count || kHandSlots * result.integral != record.resident_time)
    state.SkipWithError("the loop and gdsim disagree");
}

template <bool kJittered>
void by_hand(benchmark::State& state) {
  run_by_hand(state, kJittered, run_with_radix_heap);
}

template <bool kJittered>
void by_hand_with_horizon(benchmark::State& state) {
  run_by_hand(state, kJittered, run_with_horizon);
}

}  // namespace

BENCHMARK_TEMPLATE(gdsim_job, true)->Unit(benchmark::kMillisecond)->RangeMultiplier(10)->Range(100'000, 10'000'000);
BENCHMARK_TEMPLATE(by_hand, true)->Unit(benchmark::kMillisecond)->RangeMultiplier(10)->Range(100'000, 10'000'000);
BENCHMARK_TEMPLATE(by_hand_with_horizon, true)
    ->Unit(benchmark::kMillisecond)
    ->RangeMultiplier(10)
    ->Range(100'000, 10'000'000);
BENCHMARK_TEMPLATE(drawn_job, Distribution::normal)->Unit(benchmark::kMillisecond)->Arg(1'000'000);
BENCHMARK_TEMPLATE(drawn_job, Distribution::lognormal)->Unit(benchmark::kMillisecond)->Arg(1'000'000);
BENCHMARK(jittered_threads)->Unit(benchmark::kMillisecond)->Arg(1'000'000);
BENCHMARK_TEMPLATE(gdsim_job, false)->Unit(benchmark::kMillisecond)->RangeMultiplier(10)->Range(100'000, 10'000'000);
BENCHMARK_TEMPLATE(by_hand, false)->Unit(benchmark::kMillisecond)->RangeMultiplier(10)->Range(100'000, 10'000'000);
