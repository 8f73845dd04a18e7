#include "jobs.hpp"
#include "plain_radix_heap.hpp"

#include <gdsim/run/draws.hpp>

#include <benchmark/benchmark.h>

#include <vector>

// The GPU-shaped job, through the public API and as a loop written by hand that knows nothing else: ends in a radix
// heap, free slots by core, the integral of occupancy. The loop is given its durations; gdsim draws them.

namespace {

using namespace gdsim;
using namespace gdsim::benchmarks;

std::vector<std::int64_t> durations_of(const Job& job) {
  const Kernel& kernel = job.workload.kernels[0];
  std::vector<std::int64_t> durations;
  for (std::uint64_t i = 0; i < kernel.range.group_count(); ++i)
    durations.push_back(kernel.variation.draw
                            ? scaled(10'000'000, draw_factor(*kernel.variation.draw, {LaunchId{0}, WorkGroupId{i}, 0}))
                            : 10'000'000);
  return durations;
}

/// The end of the last work-group.
std::uint64_t run_by_hand(const std::vector<std::int64_t>& durations, Int128& integral) {
  constexpr std::uint32_t cores = 132;
  constexpr std::uint32_t slots = 8;
  PlainRadixHeap<std::uint32_t> ends;
  std::vector<std::uint32_t> free(cores, slots);
  std::size_t next = 0;
  std::uint64_t resident = 0;
  std::uint64_t changed = 0;
  const auto place = [&](std::uint64_t now, std::uint32_t core) {
    for (; free[core] > 0 && next < durations.size(); --free[core], ++resident)
      ends.push(now + static_cast<std::uint64_t>(durations[next++]), core);
  };
  for (std::uint32_t core = 0; core < cores; ++core) place(0, core);
  std::vector<std::uint32_t> freed;
  while (!ends.empty()) {
    freed.clear();
    ends.take([&](std::uint64_t time, std::uint32_t core) {
      integral += Int128{resident} * static_cast<std::int64_t>(time - changed);
      changed = time;
      --resident;
      ++free[core];
      freed.push_back(core);
    });
    for (const std::uint32_t core : freed) place(changed, core);
  }
  return changed;
}

Job job_of(bool is_jittered, std::uint64_t groups) {
  return is_jittered ? jittered_job(groups) : deterministic_job(groups);
}

void per_group(benchmark::State& state) {
  state.counters["ns_per_item"] = benchmark::Counter(
      static_cast<double>(state.range(0)), benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void simulate_job(benchmark::State& state, const Job& job, Skipping skipping) {
  RunOptions options;
  options.skipping = skipping;
  for (auto _ : state) benchmark::DoNotOptimize(simulate(job.device, job.device.dispatch, job.workload, options));
  per_group(state);
}

/// Work-group by work-group: the jittered job as users run it, for nothing in it repeats; of the other one nothing is
/// skipped.
template <bool kJittered>
void gdsim_job(benchmark::State& state) {
  simulate_job(state, job_of(kJittered, static_cast<std::uint64_t>(state.range(0))),
               kJittered ? Skipping::yes : Skipping::no);
}

/// Whole periods pass at once: the number of work-groups hardly matters.
void skipping_job(benchmark::State& state) {
  simulate_job(state, deterministic_job(static_cast<std::uint64_t>(state.range(0))), Skipping::yes);
}

template <bool kJittered>
void by_hand(benchmark::State& state) {
  const Job job = job_of(kJittered, static_cast<std::uint64_t>(state.range(0)));
  const std::vector<std::int64_t> durations = durations_of(job);
  Int128 integral = 0;
  std::uint64_t end = 0;
  for (auto _ : state) benchmark::DoNotOptimize(end = run_by_hand(durations, integral = 0));
  per_group(state);
  if (job.workload.kernels[0].range.group_count() > 1'000'000) return;
  const RunRecord record = simulate(job.device, job.device.dispatch, job.workload).record;
  if (static_cast<std::int64_t>(end) != record.end.count || 8 * integral != record.resident_time)
    state.SkipWithError("the loop and gdsim disagree");
}

}  // namespace

BENCHMARK_TEMPLATE(gdsim_job, true)->Unit(benchmark::kMillisecond)->RangeMultiplier(10)->Range(100'000, 10'000'000);
BENCHMARK_TEMPLATE(by_hand, true)->Unit(benchmark::kMillisecond)->RangeMultiplier(10)->Range(100'000, 10'000'000);
BENCHMARK_TEMPLATE(gdsim_job, false)->Unit(benchmark::kMillisecond)->RangeMultiplier(10)->Range(100'000, 10'000'000);
BENCHMARK_TEMPLATE(by_hand, false)->Unit(benchmark::kMillisecond)->RangeMultiplier(10)->Range(100'000, 10'000'000);
BENCHMARK(skipping_job)->Unit(benchmark::kMillisecond)->RangeMultiplier(10)->Range(100'000, 10'000'000);
BENCHMARK(skipping_job)->Unit(benchmark::kMillisecond)->Arg(1'000'000'000'000);
