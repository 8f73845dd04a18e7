#pragma once

#include <gdsim/compile/compile.hpp>
#include <gdsim/run/internal_run_options.hpp>
#include <gdsim/run/simulate.hpp>

#include <cstdint>
#include <utility>

// The jobs that are measured: devices and workloads, apart from how they are measured.

namespace gdsim::benchmarks {

inline DeviceSpec device_of(std::uint32_t cores, std::uint32_t contexts) {
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

inline Workload workload_of(std::uint64_t groups, std::uint64_t threads, Program program) {
  Kernel kernel;
  kernel.name = "kernel";
  kernel.range = {{1, 1, groups * threads}, {1, 1, threads}};
  kernel.sub_group = 1;
  kernel.program = std::move(program);
  kernel.variation.is_lock_step = true;
  return {{kernel}, {{"launch", KernelId{0}, {}, {}}}};
}

inline Step compute(std::uint64_t picoseconds) {
  return Compute{{Decimal::whole(picoseconds), StepTime::Unit::picoseconds}};
}

/// A device and what it is given to do.
struct Job {
  DeviceSpec device;
  Workload workload;
};

/// Whole work-groups of 10 us over 132 cores of 8 slots.
inline Job deterministic_job(std::uint64_t groups) {
  return {device_of(132, 64), workload_of(groups, 8, {compute(10'000'000)})};
}

/// The same, every work-group with a duration of its own, 8.3 to 11.7 us.
inline Job jittered_job(std::uint64_t groups, Distribution distribution = Distribution::uniform) {
  Job job = deterministic_job(groups);
  job.workload.kernels[0].variation.draw = Draw{distribution, Decimal{1, -1}, DrawPer::work_group, 1};
  return job;
}

/// The same, every thread with a duration of its own.
inline Job jittered_threads_job(std::uint64_t groups, Release release) {
  Job job = jittered_job(groups);
  job.device.release = release;
  job.workload.kernels[0].variation.draw->per = DrawPer::thread;
  return job;
}

/// Beside 7,200 such threads of 100 ms, short launches come and go, one every 6 us.
inline Job launches_beside_threads_job(std::uint32_t launches) {
  Job job = jittered_threads_job(900, Release::thread);
  job.workload.kernels[0].program = {compute(100'000'000'000)};
  job.workload.kernels.push_back(workload_of(40, 2, {compute(2'000'000)}).kernels[0]);
  job.workload.kernels[1].name = "short";
  job.workload.kernels[1].variation = job.workload.kernels[0].variation;
  for (std::uint32_t i = 1; i <= launches; ++i)
    job.workload.launches.push_back({"", KernelLaunch{KernelId{1}}, SimTime{std::int64_t{6'000'000} * i}});
  return job;
}

/// jittered_job() with one work-group that takes ten thousand times as long.
inline Job straggling_job(std::uint64_t groups) {
  Job job = jittered_job(groups);
  job.workload.kernels[0].variation.factors = {{WorkGroupId{0}, Decimal::whole(10'000)}};
  return job;
}

inline Job partial_with_barrier_job(std::uint64_t groups) {
  Job job{device_of(132, 64), workload_of(groups, 40, {Barrier{}, compute(10'000'000)})};
  job.device.dispatch.admission = Admission::partial;
  return job;
}

/// Every thread with its own work, all sharing the issue slots of 96 engines with `contexts` threads each.
inline Job issue_contention_job(std::uint64_t groups, std::uint32_t contexts) {
  Job job{device_of(6, 0), workload_of(groups, 16, {IssueSlots{{Decimal::whole(1'000'000), {}}}})};
  job.device.engines_per_core = 16;
  job.device.contexts_per_engine = contexts;
  job.device.max_work_group_size = 16 * contexts;
  job.workload.kernels[0].variation.draw = Draw{Distribution::uniform, Decimal{3, -1}, DrawPer::thread, 1};
  return job;
}

/// What the contended job asks for: the memory of an A100.
struct Contended {
  static constexpr std::uint64_t bytes = 4096;
  static constexpr std::uint64_t issue = 142'000;    ///< picoseconds
  static constexpr std::uint64_t latency = 391'000;  ///< picoseconds
  static constexpr std::int64_t in_flight = 256;
  static constexpr std::int64_t core_bandwidth = 178'000'000'000;
  static constexpr std::int64_t bandwidth = 1'769'000'000'000;
};

/// Loops of memory, barrier, issue, barrier, every thread with a factor of its own: work-groups of 8 threads, 64
/// threads on the 4 engines of a core.
inline Job contended_job(std::uint32_t cores, std::uint64_t groups, std::uint64_t rounds) {
  Loop loop{rounds,
            {Memory{Bytes{Contended::bytes}}, Barrier{},
             IssueSlots{{Decimal::whole(Contended::issue), StepTime::Unit::picoseconds}}, Barrier{}}};
  Job job{device_of(cores, 16), workload_of(groups, 8, {std::move(loop)})};
  job.device.engines_per_core = 4;
  job.device.max_work_group_size = 64;
  MemoryRule memory;
  memory.in_flight = Bytes{Contended::in_flight};
  memory.core_bandwidth = BytesPerSecond{Contended::core_bandwidth};
  memory.levels.push_back({"HBM", std::nullopt, BytesPerSecond{Contended::bandwidth},
                           StepTime{Decimal::whole(Contended::latency), StepTime::Unit::picoseconds}});
  job.device.memory = memory;
  job.workload.kernels[0].variation.draw = Draw{Distribution::uniform, Decimal{1, -1}, DrawPer::thread, 1};
  return job;
}

/// Small launches in `chains` chains, as evenly as they go.
inline Job launches_job(std::uint32_t launches, std::uint32_t chains) {
  Job job{device_of(6, 112), workload_of(2, 8, {compute(1'000'000)})};
  job.workload.launches.clear();
  for (std::uint32_t i = 0; i < launches; ++i) {
    Launch launch{"", KernelId{0}, {}};
    if (i >= chains) launch.after = {LaunchId{i - chains}};
    job.workload.launches.push_back(launch);
  }
  return job;
}

/// As many kernels, ready at once, as compete for the SLM of 6 cores.
inline Job many_kernels_job(std::uint32_t kernels, KernelChoice choice) {
  Job job{device_of(6, 112), {}};
  job.device.slm.per_core = job.device.slm.per_work_group = Bytes{64 << 10};
  job.device.dispatch.kernel_choice = choice;
  for (std::uint32_t i = 0; i < kernels; ++i) {
    Workload one = workload_of(20, 4, {compute(1'000'000 + 37'000 * i % 991'000)});
    one.kernels[0].needs.slm.total = Bytes{1024 * (1 + i % 60)};
    job.workload.kernels.push_back(one.kernels[0]);
    job.workload.launches.push_back({"", KernelId{i}, {}});
  }
  return job;
}

/// Launches of three kernels that wait for each other through buffers and a queue.
inline Job launch_graph_job(std::uint32_t launches, KernelChoice choice) {
  Job job{device_of(6, 112), {}};
  job.device.dispatch.kernel_choice = choice;
  for (std::uint64_t i = 0; i < 3; ++i)
    job.workload.kernels.push_back(workload_of(2 + i, 4, {compute(1'000'000)}).kernels.front());
  job.workload.buffers.resize(100);
  job.workload.queues = {{"q", QueueOrder::in_order, {}}};
  for (std::uint32_t i = 0; i < launches; ++i) {
    Launch next;
    next.work = KernelId{i % 3};
    if (i % 5 == 0) next.queue = QueueId{0};
    if (i % 2 == 0) next.reads = {BufferId{i * 7 % 100}};
    if (i % 3 == 0) next.writes = {BufferId{i * 11 % 100}};
    job.workload.launches.push_back(next);
  }
  return job;
}

/// Launches of one kernel, ready at once, each of which takes whole cores, in turn.
inline Job exclusive_launches_job(std::uint32_t launches) {
  Job job{device_of(8, 8), workload_of(8, 8, {compute(1'000'000)})};
  job.device.dispatch.kernel_choice = KernelChoice::round_robin;
  job.device.dispatch.core_sharing = CoreSharing::exclusive;
  job.workload.launches.resize(launches, job.workload.launches.front());
  return job;
}

/// Compiles and runs it.
inline RunResult run(const Job& job, const InternalRunOptions& options = {}) {
  return simulate(compile(job.device, job.device.dispatch, job.workload).value(), options);
}

}  // namespace gdsim::benchmarks
