// Plans of the experiments whose blocks log themselves.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "bandwidth.hpp"
#include "plan.hpp"

namespace probe {

/// The resident blocks per core: the runtime's answer, or an estimate without a device.
using Residency = unsigned (*)(const DeviceShape&, const LaunchPlan&);

/// Estimates from threads, slots and shared memory alone. `many_registers` counts as 128 of 65536 registers per thread.
inline unsigned estimated_residency(const DeviceShape& shape, const LaunchPlan& one) {
  unsigned blocks = std::min(shape.blocks_per_core, shape.threads_per_core / one.threads);
  if (one.shared_bytes > 0) blocks = std::min(blocks, shape.shared_per_core / one.shared_bytes);
  if (one.many_registers) blocks = std::min(blocks, 65536 / (128 * one.threads));
  return blocks;
}

inline void finish(const DeviceShape& shape, RunPlan& run) {
  for (const LaunchPlan& one : run.launches) {
    if (one.blocks_per_core == 0) run.skip = "no block fits on a core";
    if (one.blocks > kMaxBlocks) {
      run.skip = std::to_string(one.blocks) + " blocks, more than " + std::to_string(kMaxBlocks) + " rows";
    }
  }
  run.milliseconds = bound_milliseconds(run, shape.cores);
}

/// Grids around 1, 2, 5 and 20 waves of one kind of block.
inline void add_waves(const DeviceShape& shape, Residency residency, const std::string& name, LaunchPlan one,
                      std::vector<RunPlan>& plan) {
  one.blocks_per_core = one.threads > 1024 ? 0 : residency(shape, one);
  const unsigned wave = std::max(1U, one.blocks_per_core * shape.cores);
  struct Grid {
    const char* name;
    unsigned blocks, repetitions;
  };
  for (const Grid& grid : {Grid{"1", wave, 3},
                           {"1+1", wave + 1, 3},
                           {"2+1", 2 * wave + 1, 2},
                           {"5+1", 5 * wave + 1, 2},
                           {"20-1", 20 * wave - 1, 2}}) {
    RunPlan run;
    run.name = name + "_waves_" + grid.name;
    one.blocks = grid.blocks;
    run.launches = {one};
    run.repetitions = grid.repetitions;
    finish(shape, run);
    plan.push_back(run);
  }
}

inline std::vector<RunPlan> plan_threads(const DeviceShape& shape, Residency residency) {
  std::vector<RunPlan> plan;
  for (const unsigned threads : {64U, 128U, 256U, 512U, 1024U}) {
    LaunchPlan one;
    one.threads = threads;
    add_waves(shape, residency, "threads" + std::to_string(threads), one, plan);
  }
  return plan;
}

inline std::vector<RunPlan> plan_slots(const DeviceShape& shape, Residency residency) {
  std::vector<RunPlan> plan;
  LaunchPlan one;
  one.threads = 32;
  add_waves(shape, residency, "threads32", one, plan);
  return plan;
}

inline std::vector<RunPlan> plan_registers(const DeviceShape& shape, Residency residency) {
  std::vector<RunPlan> plan;
  for (const unsigned threads : {64U, 256U}) {
    LaunchPlan one;
    one.threads = threads;
    one.many_registers = true;
    add_waves(shape, residency, "many_registers_threads" + std::to_string(threads), one, plan);
  }
  return plan;
}

inline std::vector<RunPlan> plan_shared(const DeviceShape& shape, Residency residency) {
  std::vector<RunPlan> plan;
  for (const unsigned blocks : {1U, 3U}) {
    LaunchPlan one;
    one.threads = 128;
    one.shared_bytes = shared_for(shape, blocks);
    add_waves(shape, residency, "shared_for_" + std::to_string(blocks), one, plan);
  }
  return plan;
}

inline std::vector<RunPlan> plan_bodies(const DeviceShape& shape, Residency residency, Body body) {
  std::vector<RunPlan> plan;
  for (const unsigned threads : {128U, 1024U}) {
    LaunchPlan one;
    one.body = body;
    one.threads = threads;
    add_waves(shape, residency, std::string(body_name(body)) + "_threads" + std::to_string(threads), one, plan);
  }
  return plan;
}

/// One block per core, empty blocks, and a full wave; cold (after other code and data) and warm.
inline std::vector<RunPlan> plan_launch(const DeviceShape& shape, Residency residency) {
  std::vector<RunPlan> plan;
  for (const bool cold : {true, false}) {
    for (const unsigned blocks : {1U, shape.cores, shape.cores * 4}) {
      RunPlan run;
      run.name = std::string(cold ? "cold" : "warm") + "_blocks" + std::to_string(blocks);
      run.repetitions = 10;
      run.evict_before = cold;
      LaunchPlan one;
      one.body = Body::empty;
      one.threads = 256;
      one.blocks = blocks;
      one.blocks_per_core = residency(shape, one);
      run.launches = {one};
      finish(shape, run);
      plan.push_back(run);
    }
  }
  return plan;
}

/// Ten consecutive launches, submitted one by one and as a graph.
inline std::vector<RunPlan> plan_gaps(const DeviceShape& shape, Residency residency) {
  std::vector<RunPlan> plan;
  for (const bool graph : {false, true}) {
    for (const unsigned blocks : {1U, shape.cores}) {
      RunPlan run;
      run.name = std::string(graph ? "graph" : "stream") + "_blocks" + std::to_string(blocks);
      run.repetitions = 5;
      run.graph = graph;
      LaunchPlan one;
      one.threads = 128;
      one.blocks = blocks;
      one.blocks_per_core = residency(shape, one);
      run.launches.assign(10, one);
      finish(shape, run);
      plan.push_back(run);
    }
  }
  return plan;
}

/// Two and three kernels in streams: the first fills the device for three waves; the others arrive while it runs.
inline std::vector<RunPlan> plan_beside(const DeviceShape& shape, Residency residency) {
  std::vector<RunPlan> plan;
  LaunchPlan one;
  one.threads = 256;
  one.spin_us = 100;
  one.blocks_per_core = residency(shape, one);
  const unsigned wave = one.blocks_per_core * shape.cores;
  for (const unsigned kernels : {2U, 3U}) {
    for (const bool high : {false, true}) {
      for (const bool fills : {false, true}) {
        RunPlan run;
        run.name = std::to_string(kernels) + "_kernels_" + (fills ? "full" : "half") + (high ? "_last_high" : "_equal");
        for (unsigned i = 0; i < kernels; ++i) {
          one.stream = static_cast<int>(i);
          one.blocks = fills ? (i == 0 ? wave * 3 : wave) : std::max(1U, wave / 2);
          one.threads = i == 2 ? 128 : 256;
          one.blocks_per_core = residency(shape, one);
          one.high_priority = high && i + 1 == kernels;
          run.launches.push_back(one);
        }
        finish(shape, run);
        plan.push_back(run);
      }
    }
  }
  return plan;
}

/// Two kernels, each of one block per core, whose pools of shared memory differ, and two whose pools are the same. Both
/// fit beside each other; if a core drains before it changes its pool, `gap_ns` of the second is not negative.
inline std::vector<RunPlan> plan_pools(const DeviceShape& shape, Residency residency) {
  std::vector<RunPlan> plan;
  const unsigned large = shared_for(shape, 2);
  struct Pair {
    const char* name;
    unsigned first, second;
  };
  for (const Pair& pair : {Pair{"none_none", 0, 0}, Pair{"none_large", 0, large}, Pair{"large_none", large, 0}}) {
    RunPlan run;
    run.name = pair.name;
    for (int i = 0; i < 2; ++i) {
      LaunchPlan one;
      one.threads = 256;
      one.spin_us = 100;
      one.stream = i;
      one.blocks = shape.cores;
      one.shared_bytes = i == 0 ? pair.first : pair.second;
      one.blocks_per_core = residency(shape, one);
      run.launches.push_back(one);
    }
    finish(shape, run);
    plan.push_back(run);
  }
  return plan;
}

/// Three waves of clusters, and a launch that shows which cores share a cluster.
inline std::vector<RunPlan> plan_clusters(const DeviceShape& shape, Residency residency) {
  std::vector<RunPlan> plan;
  for (const unsigned cluster : {1U, 2U, 4U, 8U, 12U, 16U}) {
    RunPlan run;
    run.name = "cluster" + std::to_string(cluster);
    LaunchPlan one;
    one.threads = 1024;
    one.cluster = cluster;
    one.blocks_per_core = residency(shape, one);
    one.blocks = (shape.cores * std::max(1U, one.blocks_per_core) * 3 / cluster + 1) * cluster;
    run.launches = {one};
    finish(shape, run);
    if (!shape.clusters) run.skip = "clusters need compute capability 9.0 and CUDA 11.8";
    plan.push_back(run);
  }
  return plan;
}

}  // namespace probe
