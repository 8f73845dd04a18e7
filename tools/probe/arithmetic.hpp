// Measures a core's rates of arithmetic by one block of the maximum size, whose threads have independent chains of
// operations.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core_costs.hpp"
#include "session.hpp"

namespace probe {

constexpr std::uint32_t kChains = 8;
constexpr std::uint32_t kSteps = 256;

/// One step of a chain. Values stay finite for any length of the chain.
struct Fp32 {
  using Value = float;
  static constexpr const char* kName = "fp32";
  static constexpr std::uint32_t kOperations = 1;  ///< per step
  __device__ static Value step(Value value, Value factor) { return value * factor + factor; }
};
struct Fp64 {
  using Value = double;
  static constexpr const char* kName = "fp64";
  static constexpr std::uint32_t kOperations = 1;
  __device__ static Value step(Value value, Value factor) { return value * factor + factor; }
};
struct Int32 {
  using Value = std::uint32_t;
  static constexpr const char* kName = "int32";
  static constexpr std::uint32_t kOperations = 2;
  /// An addition and a logical operation, which no GPU fuses into one instruction.
  __device__ static Value step(Value value, Value factor) { return (value + factor) & ~factor; }
};
struct Sfu {
  using Value = float;
  static constexpr const char* kName = "sfu";
  static constexpr std::uint32_t kOperations = 1;
  __device__ static Value step(Value value, Value) { return fast_cosine(value); }
};

/// `factor` is an argument, so that the compiler cannot evaluate any operation.
template <typename Kind>
__global__ void arithmetic_kernel(std::uint32_t steps, typename Kind::Value factor, SpanRecord* to) {
  using Value = typename Kind::Value;
  Value chains[kChains];
  for (std::uint32_t i = 0; i < kChains; ++i) chains[i] = static_cast<Value>(threadIdx.x + i) * factor;
  __syncthreads();
  const std::uint64_t clock = read_clock();
  for (std::uint32_t step = 0; step < steps; ++step) {
    PROBE_UNROLL(8)
    for (std::uint32_t i = 0; i < kChains; ++i) chains[i] = Kind::step(chains[i], factor);
  }
  Value sum = chains[0];
  for (std::uint32_t i = 1; i < kChains; ++i) sum += chains[i];
  // The last step must have ended: its value decides whether this is written.
  if (sum == static_cast<Value>(1234567)) to->result = 1;
  __syncthreads();
  if (threadIdx.x == 0) to->cycles = (read_clock() - clock) & kClockMask;
}

/// fp64 of a consumer GPU has a 64th of the rate of fp32.
inline std::vector<RunPlan> plan_arithmetic(const DeviceShape& shape) {
  std::vector<RunPlan> plan;
  const unsigned most = shape.threads_per_core < 1024 ? shape.threads_per_core : 1024;
  for (const char* kind : {Fp32::kName, Fp64::kName, Int32::kName, Sfu::kName}) {
    plan.push_back(one_launch(kind, kind, 0, 1, most, 5));
  }
  return plan;
}

template <typename Kind>
void measure_kind(const RunPlan& run, DeviceMemory<SpanRecord>& span, Table& table) {
  if (run.variant != Kind::kName) return;
  const unsigned threads = run.launches.front().threads;
  for (unsigned repetition = 0; repetition < run.repetitions; ++repetition) {
    launch(arithmetic_kernel<Kind>, 1, threads, 0, nullptr, kSteps, static_cast<typename Kind::Value>(1), span.get());
    GPU_CHECK(GPU(DeviceSynchronize)());
    const std::uint64_t operations = std::uint64_t{threads} * kChains * kSteps * Kind::kOperations;
    const std::uint64_t cycles = span.read()[0].cycles;
    table.row({run.variant, text(threads), text(repetition), text(operations), text(cycles),
               decimal(cycles > 0 ? static_cast<double>(operations) / static_cast<double>(cycles) : 0)});
  }
}

inline void measure_arithmetic(Session& session, const std::vector<RunPlan>& plan) {
  Table table("arithmetic");
  DeviceMemory<SpanRecord> span(1);
  for (const RunPlan& run : plan) {
    measure_kind<Fp32>(run, span, table);
    measure_kind<Fp64>(run, span, table);
    measure_kind<Int32>(run, span, table);
    measure_kind<Sfu>(run, span, table);
  }
  session.write(table);
}

}  // namespace probe
