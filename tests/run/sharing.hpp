#pragma once

#include "support/builders.hpp"

#include <gdsim/device/core_resources.hpp>

#include <cstdint>
#include <utility>

// Devices and programs whose threads share issue slots, banks and memory.

namespace gdsim::testing {

inline StepTime step_time(Duration length) { return {Decimal::whole(static_cast<std::uint64_t>(length.count)), {}}; }
inline StepTime cycles(std::uint64_t count) { return {Decimal::whole(count), StepTime::Unit::cycles}; }
inline Step compute_cycles(std::uint64_t count) { return Compute{cycles(count)}; }
inline Step issue(Duration slots) { return IssueSlots{step_time(slots)}; }
inline Step memory(std::int64_t bytes) { return Memory{Bytes{bytes}}; }
inline Step loop(std::uint64_t count, Program body) { return Loop{count, std::move(body)}; }

constexpr BytesPerSecond gigabytes(std::int64_t count) { return {count * 1'000'000'000}; }

/// One level of this bandwidth: 1 GB/s is a byte per nanosecond.
inline MemoryRule flat_memory(BytesPerSecond bandwidth) {
  MemoryRule rule;
  rule.levels.push_back({"DRAM", std::nullopt, bandwidth, std::nullopt});
  return rule;
}

/// Cores of one engine with this many contexts, dealt out in turn.
inline DeviceSpec device_of(std::uint32_t cores, std::uint32_t contexts, std::uint32_t engines = 1) {
  return with(small_device(), [&](DeviceSpec& d) {
    d.cores = cores;
    d.engines_per_core = engines;
    d.contexts_per_engine = contexts;
    d.max_work_group_size = 8 * contexts * engines;
    d.dispatch.placement = "round_robin";
    d.memory = flat_memory(gigabytes(1));
  });
}

inline SimTime end_of(const FullRun& run, std::uint64_t number, std::uint32_t of = 0) {
  return run.work_groups.records_of(launch(of))[number].ended.value();
}

inline Duration duration(const DeviceSpec& device, const Workload& workload) {
  return run_fully(device, workload).record.duration();
}

/// Thread-picoseconds of all cores and kernels.
inline Int128 spent(const RunRecord& record, Activity kind) {
  Int128 sum = 0;
  for (const CoreTimeUse& one : record.time_use) sum += one.use.spent_on(kind);
  return sum;
}
inline Int128 spent(const FullRun& run, Activity kind) { return spent(run.record, kind); }

}  // namespace gdsim::testing
