#include "contended_by_hand.hpp"
#include "jobs.hpp"

#include <gdsim/model/draws.hpp>

#include <benchmark/benchmark.h>

#include <cmath>

// Threads that share a memory and issue slots and meet at barriers, each with a factor of its own: through the public
// API, and as a loop written by hand. By thread and step, on 8 and on 132 cores.

namespace {

using namespace gdsim;
using namespace gdsim::benchmarks;

constexpr std::uint32_t kRounds = 64;
constexpr std::uint64_t kStepsPerRound = 4;

/// Work-groups that fill the device four times.
std::uint64_t groups_on(std::uint32_t cores) { return std::uint64_t{4} * ContendedWork::slots * cores; }

ContendedWork work_of(std::uint32_t cores) {
  const Job job = contended_job(cores, groups_on(cores), kRounds);
  const FactorDraw draw(*job.workload.kernels[0].variation.draw);
  ContendedWork work;
  work.cores = cores;
  work.rounds = kRounds;
  work.latency = static_cast<double>(Contended::latency);
  const auto bytes = static_cast<double>(Contended::bytes);
  const auto chunk = static_cast<double>(Contended::in_flight);
  work.alone = chunk / work.latency * bytes / (bytes - chunk);
  work.bandwidth = static_cast<double>(Contended::bandwidth) / 1e12;
  for (std::uint64_t group = 0; group < groups_on(cores); ++group) {
    work.first_turns.push_back(draw.is_first(LaunchId{0}, WorkGroupId{group}));
    for (std::uint32_t thread = 0; thread < ContendedWork::threads; ++thread) {
      const DrawnFactor factor = draw.factor({LaunchId{0}, WorkGroupId{group}, thread});
      work.bytes.push_back(static_cast<double>(scaled(Contended::bytes, factor)));
      work.work.push_back(static_cast<double>(scaled(Contended::issue, factor)));
    }
  }
  return work;
}

void per_step(benchmark::State& state) {
  const std::uint64_t threads = groups_on(static_cast<std::uint32_t>(state.range(0))) * ContendedWork::threads;
  state.counters["ns_per_item"] =
      benchmark::Counter(static_cast<double>(threads * kRounds * kStepsPerRound),
                         benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void contended(benchmark::State& state) {
  const auto cores = static_cast<std::uint32_t>(state.range(0));
  const Job job = contended_job(cores, groups_on(cores), kRounds);
  for (auto _ : state) benchmark::DoNotOptimize(benchmarks::run(job));
  per_step(state);
}

void contended_by_hand(benchmark::State& state) {
  const auto cores = static_cast<std::uint32_t>(state.range(0));
  const ContendedWork work = work_of(cores);
  double end = 0;
  for (auto _ : state) benchmark::DoNotOptimize(end = ContendedLoop(work).run());
  per_step(state);
  const auto simulated =
      static_cast<double>(benchmarks::run(contended_job(cores, groups_on(cores), kRounds)).record.end.count);
  if (std::abs(end - simulated) > simulated / 1000) state.SkipWithError("the loop and gdsim disagree");
}

}  // namespace

BENCHMARK(contended)->Unit(benchmark::kMillisecond)->Arg(8)->Arg(132);
BENCHMARK(contended_by_hand)->Unit(benchmark::kMillisecond)->Arg(8)->Arg(132);
