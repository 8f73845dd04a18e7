// Costs within a core and at one address: bank conflicts, barriers, atomics. Floods: so many blocks that do nothing
// that the rate at which they start decides how long a launch takes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "micro_kernels.hpp"
#include "session.hpp"

namespace probe {

constexpr std::uint32_t kAccesses = 1024;

inline RunPlan one_launch(std::string name, std::string variant, std::uint64_t parameter, unsigned blocks,
                          unsigned threads, double milliseconds) {
  RunPlan run;
  run.name = std::move(name);
  run.variant = std::move(variant);
  run.parameter = parameter;
  LaunchPlan one;
  one.blocks = blocks;
  one.threads = threads;
  run.launches.push_back(one);
  run.milliseconds = milliseconds * run.repetitions;
  return run;
}

inline std::vector<RunPlan> plan_shared_memory(const DeviceShape& shape) {
  std::vector<RunPlan> plan;
  for (const unsigned warps : {1U, 8U}) {
    for (const std::uint64_t stride : {1, 2, 3, 4, 5, 8, 16, 31, 32, 33, 64}) {
      plan.push_back(one_launch("stride" + std::to_string(stride) + "_warps" + std::to_string(warps), "", stride, 1,
                                warps * shape.warp, 5));
    }
  }
  return plan;
}

inline void measure_shared_memory(Session& session, const std::vector<RunPlan>& plan) {
  Table table("shared_memory");
  DeviceMemory<SpanRecord> span(1);
  for (const RunPlan& run : plan) {
    const unsigned threads = run.launches.front().threads;
    for (unsigned repetition = 0; repetition < run.repetitions; ++repetition) {
      launch(conflict_kernel, 1, threads, kConflictWords * 4, nullptr, static_cast<std::uint32_t>(run.parameter),
             kAccesses, span.get());
      GPU_CHECK(GPU(DeviceSynchronize)());
      table.row({text(threads / session.device.shape.warp), text(run.parameter), text(repetition), text(kAccesses),
                 decimal(static_cast<double>(span.read()[0].cycles) / kAccesses)});
    }
  }
  session.write(table);
}

inline std::vector<RunPlan> plan_barrier(const DeviceShape& shape) {
  std::vector<RunPlan> plan;
  for (unsigned warps = 1; warps * shape.warp <= 1024; warps *= 2) {
    plan.push_back(one_launch("warps" + std::to_string(warps), "", 0, 1, warps * shape.warp, 2));
  }
  return plan;
}

inline void measure_barrier(Session& session, const std::vector<RunPlan>& plan) {
  Table table("barrier");
  DeviceMemory<SpanRecord> span(1);
  for (const RunPlan& run : plan) {
    const unsigned threads = run.launches.front().threads;
    for (unsigned repetition = 0; repetition < run.repetitions; ++repetition) {
      launch(barrier_kernel, 1, threads, 0, nullptr, kAccesses, span.get());
      GPU_CHECK(GPU(DeviceSynchronize)());
      table.row({text(threads / session.device.shape.warp), text(repetition), text(kAccesses),
                 decimal(static_cast<double>(span.read()[0].cycles) / kAccesses)});
    }
  }
  session.write(table);
}

/// Operations per thread; words between the addresses of two warps.
constexpr std::uint32_t kAtomics = 64;
constexpr std::uint32_t kWordsApart = 32;

/// A same-address operation takes at most 50 ns.
inline std::vector<RunPlan> plan_atomics(const DeviceShape& shape) {
  std::vector<RunPlan> plan;
  for (const char* address : {"same_global", "own_line", "same_shared", "float_global"}) {
    for (const unsigned blocks : {1U, shape.cores}) {
      for (const unsigned threads : {shape.warp, 256U}) {
        plan.push_back(one_launch(std::string(address) + "_" + std::to_string(blocks) + "x" + std::to_string(threads),
                                  address, 0, blocks, threads, kAtomics * 50e-6 * blocks * threads));
      }
    }
  }
  return plan;
}

inline void measure_atomics(Session& session, const std::vector<RunPlan>& plan) {
  Table table("atomics");
  const DeviceShape& shape = session.device.shape;
  const std::size_t warps = shape.cores * std::size_t{256} / shape.warp + 1;
  DeviceMemory<std::uint32_t> words(warps * kWordsApart);
  DeviceMemory<SpanRecord> spans(shape.cores);
  for (const RunPlan& run : plan) {
    const LaunchPlan& one = run.launches.front();
    for (unsigned repetition = 0; repetition < run.repetitions; ++repetition) {
      launch(atomic_kernel, one.blocks, one.threads, 128, nullptr, words.get(),
             run.variant == "own_line" ? kWordsApart : 0U, run.variant == "same_shared" ? 1U : 0U,
             run.variant == "float_global" ? 1U : 0U, kAtomics, spans.get());
      GPU_CHECK(GPU(DeviceSynchronize)());
      std::uint64_t first = ~0ULL, last = 0;
      const std::vector<SpanRecord> read = spans.read();
      for (unsigned block = 0; block < one.blocks; ++block) {
        first = std::min(first, read[block].start_ticks);
        last = std::max(last, read[block].end_ticks);
      }
      const std::uint64_t operations = std::uint64_t{one.blocks} * one.threads * kAtomics;
      const std::uint64_t ns = session.device.nanoseconds(last - first);
      table.row({run.variant, text(one.blocks), text(one.threads), text(repetition), text(operations), text(ns),
                 decimal(static_cast<double>(ns) / static_cast<double>(operations))});
    }
  }
  session.write(table);
}

/// `zero` is an argument, so that the compiler does not know that nothing is written.
__global__ void nothing_kernel(std::uint32_t* sink, std::uint32_t zero) {
  if (zero != 0) *sink = zero;
}

/// Two sizes of each kind of block: their difference has no cost of a launch. A block takes at most 50 ns.
inline std::vector<RunPlan> plan_floods(const DeviceShape& shape) {
  std::vector<RunPlan> plan;
  for (const unsigned threads : {64U, 256U, 1024U}) {
    for (const unsigned per_core : {128U, 1024U}) {
      const unsigned blocks = shape.cores * per_core;
      plan.push_back(one_launch("threads" + std::to_string(threads) + "_blocks" + std::to_string(blocks), "", 0, blocks,
                                threads, 0.1 + blocks * 50e-6));
    }
  }
  return plan;
}

inline void measure_floods(Session& session, const std::vector<RunPlan>& plan) {
  Table table("floods");
  DeviceMemory<std::uint32_t> sink(1);
  for (const RunPlan& run : plan) {
    const LaunchPlan& one = run.launches.front();
    for (unsigned repetition = 0; repetition < run.repetitions; ++repetition) {
      Event begin, end;
      begin.record(nullptr);
      launch(nothing_kernel, one.blocks, one.threads, 0, nullptr, sink.get(), 0U);
      end.record(nullptr);
      GPU_CHECK(GPU(DeviceSynchronize)());
      table.row({text(one.threads), text(one.blocks), text(repetition),
                 text(static_cast<std::uint64_t>(end.nanoseconds_since(begin)))});
    }
  }
  session.write(table);
}

}  // namespace probe
