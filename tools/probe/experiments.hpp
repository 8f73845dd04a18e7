// The list of experiments in the order of execution.
#pragma once

#include <vector>

#include "arithmetic.hpp"
#include "bandwidth.hpp"
#include "block_plans.hpp"
#include "block_tables.hpp"
#include "clusters.hpp"
#include "core_costs.hpp"
#include "latency.hpp"

namespace probe {

/// The runtime's answer.
inline unsigned runtime_residency(const DeviceShape&, const LaunchPlan& one) {
  if (one.body == Body::memory) {
    if (one.shared_bytes > 49152 && !allow_shared(memory_kernel, one.shared_bytes)) return 0;
    return resident_blocks(memory_kernel, one.threads, one.shared_bytes);
  }
  return with_spin_kernel(one.many_registers, [&](auto kernel) {
    if (one.shared_bytes > 49152 && !allow_shared(kernel, one.shared_bytes)) return 0U;
    return resident_blocks(kernel, one.threads, one.shared_bytes);
  });
}

struct Experiment {
  const char* name;
  const char* measures;
  const char* decides;  ///< keys of a device model, which the tables decide
  std::vector<RunPlan> (*plan)(const DeviceShape&, Residency);
  void (*measure)(Session&, const std::vector<RunPlan>&);
};

inline void log_blocks(Session& session, const std::vector<RunPlan>& plan) { measure_blocks(session, plan); }

template <Body body>
std::vector<RunPlan> plan_body(const DeviceShape& shape, Residency residency) {
  return plan_bodies(shape, residency, body);
}

template <std::vector<RunPlan> (*plan)(const DeviceShape&)>
std::vector<RunPlan> without_residency(const DeviceShape& shape, Residency) {
  return plan(shape);
}

inline void clusters_of_plan(Session& session, const std::vector<RunPlan>& plan) { measure_clusters(session, plan); }

constexpr Experiment kExperiments[] = {
    {"launch", "cost of a launch: cold and warm, one block to four per core", "launch_cost", plan_launch, log_blocks},
    {"threads", "order, interval, recovery: blocks of 64 to 1024 threads, 1 to 20 waves",
     "dispatch.placement, tie_order, dispatch.interval, dispatch.recovery", plan_threads, log_blocks},
    {"slots", "the same, residency limited by slots for blocks", "work_groups_per_core", plan_slots, log_blocks},
    {"registers", "the same, residency limited by registers", "registers", plan_registers, log_blocks},
    {"shared", "the same, residency limited by shared memory", "slm", plan_shared, log_blocks},
    {"drawn", "the same, blocks of 0.5 to 1.5 times the length", "dispatch.placement", plan_body<Body::drawn>,
     log_blocks},
    {"memory", "the same, blocks that read 32 KiB each", "dispatch.recovery", plan_body<Body::memory>, log_blocks},
    {"gaps", "time between launches that follow each other, in a stream and in a graph",
     "dependency_gap, graph.dependency_gap", plan_gaps, log_blocks},
    {"beside", "two and three kernels beside each other, with and without priority", "dispatch.kernel_choice",
     plan_beside, log_blocks},
    {"pools", "two kernels beside each other that need different pools of shared memory",
     "dispatch.slm_reconfiguration", plan_pools, log_blocks},
    {"clusters", "clusters of 1 to 16 blocks: how many, where; which cores share one", "clusters, core_groups",
     plan_clusters, clusters_of_plan},
    {"floods", "how fast blocks start that do nothing", "dispatch.interval, dispatch.recovery",
     without_residency<plan_floods>, measure_floods},
    {"latency", "latency of each level of memory, by loads that depend on each other", "memory.levels",
     without_residency<plan_latency>, measure_latency},
    {"bandwidth", "bandwidth against resident threads, of blocks that only read and of blocks that only store",
     "memory.levels, dispatch.recovery, memory.store_drain", without_residency<plan_bandwidth>, measure_bandwidth},
    {"shared_memory", "cost of bank conflicts", "slm_access", without_residency<plan_shared_memory>,
     measure_shared_memory},
    {"barrier", "cost of a barrier by warps", "barrier_cost", without_residency<plan_barrier>, measure_barrier},
    {"atomics", "atomics on one address, on own lines, in shared memory, of floats", "atomics",
     without_residency<plan_atomics>, measure_atomics},
    {"arithmetic", "operations per cycle of a core, by kind", "arithmetic", without_residency<plan_arithmetic>,
     measure_arithmetic},
    {"pipes", "two kinds of arithmetic beside each other", "pipes", without_residency<plan_pipes>, measure_pipes},
    {"dependent", "arithmetic that depends on the operation before it", "instruction_latency",
     without_residency<plan_dependent>, measure_dependent},
};

}  // namespace probe
