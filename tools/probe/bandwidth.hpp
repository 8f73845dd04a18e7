// Bandwidth against resident threads: one 8-byte element per thread, one or two blocks per core.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "latency.hpp"
#include "micro_kernels.hpp"
#include "session.hpp"

namespace probe {

/// Returns the shared memory per block with which exactly `blocks` fit on a core, up to the device's limit per block.
inline unsigned shared_for(const DeviceShape& shape, unsigned blocks) {
  const unsigned reserved = 1024;  // compute capability 8.0 and later take 1 KiB per block
  const unsigned part = shape.shared_per_core / blocks - reserved;
  return std::min(part / 256 * 256, shape.shared_per_block);
}

inline std::vector<RunPlan> plan_bandwidth(const DeviceShape& shape) {
  std::vector<RunPlan> plan;
  for (const char* direction : {"read", "write"}) {
    for (const unsigned blocks : {1U, 2U}) {
      for (unsigned threads = shape.warp; threads <= 1024; threads *= 2) {
        RunPlan run;
        run.name = std::string(direction) + "_" + std::to_string(threads) + "x" + std::to_string(blocks);
        run.variant = direction;
        run.parameter = largest_ring(shape);
        LaunchPlan one;
        one.body = Body::memory;
        one.threads = threads;
        one.blocks = static_cast<unsigned>(run.parameter / 8 / threads);
        one.shared_bytes = shared_for(shape, blocks);
        one.blocks_per_core = blocks;
        run.launches.push_back(one);
        if (threads * blocks > shape.threads_per_core) run.skip = "more threads than a core has";
        // At most 3 us per block and wave, and at least 20 GB/s once there are 256 threads per core.
        const double waves = one.blocks / static_cast<double>(shape.cores * blocks);
        run.milliseconds = run.repetitions * std::max(waves * 3 / 1000, static_cast<double>(run.parameter) / 20e6);
        plan.push_back(run);
      }
    }
  }
  return plan;
}

inline void measure_bandwidth(Session& session, const std::vector<RunPlan>& plan) {
  Table table("bandwidth");
  DeviceMemory<std::uint64_t> data(largest_ring(session.device.shape) / 8), sink(1);
  for (const RunPlan& run : plan) {
    if (!run.skip.empty()) {
      session.skip(run.name, run.skip);
      continue;
    }
    const LaunchPlan& one = run.launches.front();
    const bool reads = run.variant == "read";
    if (one.shared_bytes > 49152 &&
        !(reads ? allow_shared(read_kernel, one.shared_bytes) : allow_shared(write_kernel, one.shared_bytes))) {
      session.skip(run.name, "no block may have so much shared memory");
      continue;
    }
    const unsigned resident = reads ? resident_blocks(read_kernel, one.threads, one.shared_bytes)
                                    : resident_blocks(write_kernel, one.threads, one.shared_bytes);
    for (unsigned repetition = 0; repetition < run.repetitions; ++repetition) {
      Event begin, end;
      begin.record(nullptr);
      if (reads) {
        launch(read_kernel, one.blocks, one.threads, one.shared_bytes, nullptr, data.get(), sink.get());
      } else {
        launch(write_kernel, one.blocks, one.threads, one.shared_bytes, nullptr, data.get(), std::uint64_t{1});
      }
      end.record(nullptr);
      GPU_CHECK(GPU(DeviceSynchronize)());
      const std::int64_t ns = std::max<std::int64_t>(1, end.nanoseconds_since(begin));
      const std::uint64_t bytes = std::uint64_t{one.blocks} * one.threads * 8;
      table.row({run.variant, text(one.threads), text(resident), text(bytes), text(repetition), text(ns),
                 decimal(static_cast<double>(bytes) / static_cast<double>(ns))});
    }
  }
  session.write(table);
}

}  // namespace probe
