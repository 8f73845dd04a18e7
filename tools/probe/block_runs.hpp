// Executes the runs of a plan whose blocks log themselves, and makes the rows of launches, blocks and dispatch.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "alignment.hpp"
#include "cluster_launch.hpp"
#include "derive.hpp"
#include "session.hpp"

namespace probe {

/// Calls `use` with the kernel that a launch of this kind runs.
template <typename Use>
auto with_spin_kernel(bool many_registers, Use use) {
  return many_registers ? use(spin_kernel<kManyRegisters>) : use(spin_kernel<1>);
}

/// The memory that all repetitions of a run share.
struct RunMemory {
  std::vector<std::unique_ptr<DeviceMemory<BlockRecord>>> records;
  std::vector<std::unique_ptr<Stream>> streams;
  std::unique_ptr<DeviceMemory<uint4>> data;
  std::unique_ptr<DeviceMemory<std::uint32_t>> sink;
};

inline RunMemory memory_for(const RunPlan& run) {
  RunMemory memory;
  int lowest = 0, highest = 0;
  GPU_CHECK(GPU(DeviceGetStreamPriorityRange)(&lowest, &highest));
  std::size_t pieces = 0;
  for (const LaunchPlan& one : run.launches) {
    memory.records.push_back(std::make_unique<DeviceMemory<BlockRecord>>(one.blocks));
    const auto stream = static_cast<std::size_t>(one.stream);
    if (stream == memory.streams.size()) {
      memory.streams.push_back(std::make_unique<Stream>(one.high_priority ? highest : lowest));
    }
    if (one.body == Body::memory)
      pieces = std::max<std::size_t>(pieces, one.blocks * (kMemoryBodyBytes / sizeof(uint4)));
  }
  if (pieces > 0) memory.data = std::make_unique<DeviceMemory<uint4>>(pieces);
  memory.sink = std::make_unique<DeviceMemory<std::uint32_t>>(1);
  return memory;
}

inline void make_launch(const Device& device, const LaunchPlan& one, BlockRecord* records, const RunMemory& memory,
                        GPU(Stream_t) stream) {
  if (one.body == Body::memory) {
    const auto pieces = static_cast<std::uint32_t>(kMemoryBodyBytes / sizeof(uint4));
    launch(memory_kernel, one.blocks, one.threads, one.shared_bytes, stream, records, memory.data->get(), pieces,
           memory.sink->get());
    return;
  }
  const double us = one.body == Body::empty ? 0 : one.spin_us;
  const SpinRequest request{records, static_cast<std::uint64_t>(us * device.shape.cycles_per_us),
                            one.body == Body::drawn ? 1U : 0U, 0};
  if (one.cluster > 1) {
    launch_clusters(one.blocks, one.threads, one.cluster, stream, request);
    return;
  }
  with_spin_kernel(one.many_registers, [&](auto kernel) {
    launch(kernel, one.blocks, one.threads, one.shared_bytes, stream, request);
    return 0;
  });
}

/// The record of one repetition.
struct Repetition {
  std::vector<LaunchLog> launches;
  std::vector<std::int64_t> host_call_ns;  ///< per launch; empty for a graph
  std::int64_t host_total_ns = 0;
  std::int64_t event_ns = -1;  ///< -1: more than one stream
};

inline std::int64_t nanoseconds_since(std::chrono::steady_clock::time_point then) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - then).count();
}

/// A graph of the run's launches, captured from its stream.
inline GPU(GraphExec_t) capture(const Device& device, const RunPlan& run, const RunMemory& memory) {
  const GPU(Stream_t) stream = memory.streams.front()->get();
  GPU(Graph_t) graph = nullptr;
  GPU(GraphExec_t) executable = nullptr;
  GPU_CHECK(GPU(StreamBeginCapture)(stream, GPU(StreamCaptureModeGlobal)));
  for (std::size_t i = 0; i < run.launches.size(); ++i) {
    make_launch(device, run.launches[i], memory.records[i]->get(), memory, stream);
  }
  GPU_CHECK(GPU(StreamEndCapture)(stream, &graph));
  GPU_CHECK(instantiate_graph(&executable, graph));
  GPU_CHECK(GPU(GraphDestroy)(graph));
  return executable;
}

/// Evicts caches with other code and more data than the L2 holds.
inline void evict(const Device& device) {
  const std::size_t bytes = std::max<std::size_t>(std::size_t{16} << 20, std::size_t{device.shape.l2_bytes} * 2);
  DeviceMemory<std::uint8_t> other(bytes);  // construction writes it
  GPU_CHECK(GPU(DeviceSynchronize)());
}

inline Repetition repeat_once(const Device& device, const RunPlan& run, const RunMemory& memory,
                              GPU(GraphExec_t) graph) {
  if (run.evict_before) evict(device);
  for (const auto& records : memory.records) records->clear();
  GPU_CHECK(GPU(DeviceSynchronize)());
  Repetition done;
  const bool one_stream = memory.streams.size() == 1;
  Event begin, end;
  const GPU(Stream_t) first = memory.streams.front()->get();
  const auto called = std::chrono::steady_clock::now();
  if (one_stream) begin.record(first);
  if (graph != nullptr) {
    GPU_CHECK(GPU(GraphLaunch)(graph, first));
  } else {
    for (std::size_t i = 0; i < run.launches.size(); ++i) {
      const LaunchPlan& one = run.launches[i];
      const auto before = std::chrono::steady_clock::now();
      make_launch(device, one, memory.records[i]->get(), memory,
                  memory.streams[static_cast<std::size_t>(one.stream)]->get());
      done.host_call_ns.push_back(nanoseconds_since(before));
    }
  }
  if (one_stream) end.record(first);
  GPU_CHECK(GPU(DeviceSynchronize)());
  done.host_total_ns = nanoseconds_since(called);
  if (one_stream) done.event_ns = end.nanoseconds_since(begin);
  for (const auto& records : memory.records) {
    LaunchLog log;
    log.blocks = records->read();
    for (const BlockRecord& one : log.blocks) {
      if (one.start_ticks == 0 || one.end_ticks < one.start_ticks) throw GpuError("a block logged no time");
    }
    done.launches.push_back(std::move(log));
  }
  return done;
}

inline std::vector<Repetition> do_run(const Device& device, const RunPlan& run) {
  const RunMemory memory = memory_for(run);
  for (const LaunchPlan& one : run.launches) {
    if (one.shared_bytes <= 49152) continue;
    const bool allowed =
        one.body == Body::memory
            ? allow_shared(memory_kernel, one.shared_bytes)
            : with_spin_kernel(one.many_registers, [&](auto k) { return allow_shared(k, one.shared_bytes); });
    if (!allowed) throw GpuError("no block may have " + std::to_string(one.shared_bytes) + " bytes of shared memory");
  }
  GPU(GraphExec_t) graph = run.graph ? capture(device, run, memory) : nullptr;
  std::vector<Repetition> repetitions;
  for (unsigned i = 0; i < run.repetitions; ++i) repetitions.push_back(repeat_once(device, run, memory, graph));
  if (graph != nullptr) GPU_CHECK(GPU(GraphExecDestroy)(graph));
  return repetitions;
}

}  // namespace probe
