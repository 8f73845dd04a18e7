// Measures a core's rates of arithmetic by one block of the maximum size, whose threads have independent chains of
// operations; which kinds share a pipe; and after how many cycles a result can be used.
#pragma once

#include <algorithm>
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
  static constexpr unsigned kNumber = 0;
  static constexpr std::uint32_t kOperations = 1;  ///< per step
  __device__ static Value step(Value value, Value factor) { return value * factor + factor; }
};
struct Fp64 {
  using Value = double;
  static constexpr const char* kName = "fp64";
  static constexpr unsigned kNumber = 1;
  static constexpr std::uint32_t kOperations = 1;
  __device__ static Value step(Value value, Value factor) { return value * factor + factor; }
};
struct Int32 {
  using Value = std::uint32_t;
  static constexpr const char* kName = "int32";
  static constexpr unsigned kNumber = 2;
  static constexpr std::uint32_t kOperations = 2;
  /// An addition and a logical operation, which no GPU fuses into one instruction.
  __device__ static Value step(Value value, Value factor) { return (value + factor) & ~factor; }
};
struct Sfu {
  using Value = float;
  static constexpr const char* kName = "sfu";
  static constexpr unsigned kNumber = 3;
  static constexpr std::uint32_t kOperations = 1;
  __device__ static Value step(Value value, Value) { return fast_cosine(value); }
};

/// `factor` is an argument, so that the compiler cannot evaluate any operation.
template <typename Kind, std::uint32_t count = kChains>
__global__ void arithmetic_kernel(std::uint32_t steps, typename Kind::Value factor, SpanRecord* to) {
  using Value = typename Kind::Value;
  Value chains[count];
  for (std::uint32_t i = 0; i < count; ++i) chains[i] = static_cast<Value>(threadIdx.x + i) * factor;
  __syncthreads();
  const std::uint64_t clock = read_clock();
  for (std::uint32_t step = 0; step < steps; ++step) {
    PROBE_UNROLL(8)
    for (std::uint32_t i = 0; i < count; ++i) chains[i] = Kind::step(chains[i], factor);
  }
  Value sum = chains[0];
  for (std::uint32_t i = 1; i < count; ++i) sum += chains[i];
  // The last step must have ended: its value decides whether this is written.
  if (sum == static_cast<Value>(1234567)) to->result = 1;
  note_work(Kind::kNumber, std::uint64_t{blockDim.x} * count * steps * Kind::kOperations, steps * Kind::kOperations);
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

/// Returns the cycles of a block whose threads have `count` chains each.
template <typename Kind, std::uint32_t count>
std::uint64_t arithmetic_cycles(unsigned threads, DeviceMemory<SpanRecord>& span) {
  launch(arithmetic_kernel<Kind, count>, 1, threads, 0, nullptr, kSteps, static_cast<typename Kind::Value>(1),
         span.get());
  GPU_CHECK(GPU(DeviceSynchronize)());
  return span.read()[0].cycles;
}

template <typename Kind>
void measure_kind(const RunPlan& run, DeviceMemory<SpanRecord>& span, Table& table) {
  if (run.variant != Kind::kName) return;
  const unsigned threads = run.launches.front().threads;
  for (unsigned repetition = 0; repetition < run.repetitions; ++repetition) {
    const std::uint64_t cycles = arithmetic_cycles<Kind, kChains>(threads, span);
    const std::uint64_t operations = std::uint64_t{threads} * kChains * kSteps * Kind::kOperations;
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

constexpr std::uint32_t kPairedChains = 4;
constexpr std::uint32_t kRounds = 64;

/// In each round, every thread does steps of the first kind, then steps of the second. Warps drift apart, so that the
/// two kinds meet: kinds with pipes of their own take as long as the slower one, kinds that share a pipe as long as
/// both.
template <typename First, typename Second>
__global__ void paired_kernel(std::uint32_t rounds, std::uint32_t first_steps, std::uint32_t second_steps,
                              typename First::Value one, typename Second::Value other, SpanRecord* to) {
  typename First::Value firsts[kPairedChains];
  typename Second::Value seconds[kPairedChains];
  for (std::uint32_t i = 0; i < kPairedChains; ++i) {
    firsts[i] = static_cast<typename First::Value>(threadIdx.x + i) * one;
    seconds[i] = static_cast<typename Second::Value>(threadIdx.x + i) * other;
  }
  __syncthreads();
  const std::uint64_t clock = read_clock();
  for (std::uint32_t round = 0; round < rounds; ++round) {
    for (std::uint32_t step = 0; step < first_steps; ++step) {
      PROBE_UNROLL(4)
      for (std::uint32_t i = 0; i < kPairedChains; ++i) firsts[i] = First::step(firsts[i], one);
    }
    for (std::uint32_t step = 0; step < second_steps; ++step) {
      PROBE_UNROLL(4)
      for (std::uint32_t i = 0; i < kPairedChains; ++i) seconds[i] = Second::step(seconds[i], other);
    }
  }
  double sum = 0;
  for (std::uint32_t i = 0; i < kPairedChains; ++i) {
    sum += static_cast<double>(firsts[i]) + static_cast<double>(seconds[i]);
  }
  if (sum == 1234567) to->result = 1;  // the last steps must have ended
  const std::uint64_t chains = std::uint64_t{blockDim.x} * kPairedChains * rounds;
  note_work(First::kNumber, chains * first_steps * First::kOperations, rounds * first_steps * First::kOperations);
  note_work(Second::kNumber, chains * second_steps * Second::kOperations, rounds * second_steps * Second::kOperations);
  __syncthreads();
  if (threadIdx.x == 0) to->cycles = (read_clock() - clock) & kClockMask;
}

inline std::vector<RunPlan> plan_pipes(const DeviceShape& shape) {
  std::vector<RunPlan> plan;
  const unsigned most = shape.threads_per_core < 1024 ? shape.threads_per_core : 1024;
  for (const char* pair : {"fp32+int32", "fp32+sfu", "int32+sfu", "fp64+fp32", "fp64+int32", "fp64+sfu"}) {
    plan.push_back(one_launch(pair, pair, 0, 1, most, 10));
  }
  return plan;
}

template <typename First, typename Second>
std::uint64_t paired_cycles(unsigned threads, std::uint32_t first_steps, std::uint32_t second_steps,
                            DeviceMemory<SpanRecord>& span) {
  launch(paired_kernel<First, Second>, 1, threads, 0, nullptr, kRounds, first_steps, second_steps,
         static_cast<typename First::Value>(1), static_cast<typename Second::Value>(1), span.get());
  GPU_CHECK(GPU(DeviceSynchronize)());
  return span.read()[0].cycles;
}

/// The faster kind gets as many more steps as make both take about as long alone.
template <typename First, typename Second>
void measure_pair(const RunPlan& run, DeviceMemory<SpanRecord>& span, Table& table) {
  if (run.variant != std::string(First::kName) + "+" + Second::kName) return;
  const unsigned threads = run.launches.front().threads;
  const std::uint64_t first = std::max<std::uint64_t>(paired_cycles<First, Second>(threads, 4, 0, span), 1);
  const std::uint64_t second = std::max<std::uint64_t>(paired_cycles<First, Second>(threads, 0, 4, span), 1);
  const auto more = [](std::uint64_t slower, std::uint64_t faster) {
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(std::max<std::uint64_t>(4 * slower / faster, 4), 256));
  };
  const std::uint32_t first_steps = more(second, first), second_steps = more(first, second);
  for (unsigned repetition = 0; repetition < run.repetitions; ++repetition) {
    table.row({First::kName, Second::kName, text(threads), text(repetition),
               text(paired_cycles<First, Second>(threads, first_steps, 0, span)),
               text(paired_cycles<First, Second>(threads, 0, second_steps, span)),
               text(paired_cycles<First, Second>(threads, first_steps, second_steps, span))});
  }
}

inline void measure_pipes(Session& session, const std::vector<RunPlan>& plan) {
  Table table("pipes");
  DeviceMemory<SpanRecord> span(1);
  for (const RunPlan& run : plan) {
    measure_pair<Fp32, Int32>(run, span, table);
    measure_pair<Fp32, Sfu>(run, span, table);
    measure_pair<Int32, Sfu>(run, span, table);
    measure_pair<Fp64, Fp32>(run, span, table);
    measure_pair<Fp64, Int32>(run, span, table);
    measure_pair<Fp64, Sfu>(run, span, table);
  }
  session.write(table);
}

inline std::vector<RunPlan> plan_dependent(const DeviceShape& shape) {
  std::vector<RunPlan> plan;
  for (const char* kind : {Fp32::kName, Fp64::kName, Int32::kName, Sfu::kName}) {
    for (const unsigned chains : {1U, 2U, 4U}) {
      plan.push_back(
          one_launch(std::string(kind) + "_chains" + std::to_string(chains), kind, chains, 1, shape.warp, 5));
    }
  }
  return plan;
}

template <typename Kind, std::uint32_t chains>
void measure_chains(const RunPlan& run, DeviceMemory<SpanRecord>& span, Table& table) {
  if (run.variant != Kind::kName || run.parameter != chains) return;
  for (unsigned repetition = 0; repetition < run.repetitions; ++repetition) {
    const std::uint64_t cycles = arithmetic_cycles<Kind, chains>(run.launches.front().threads, span);
    const std::uint64_t operations = std::uint64_t{kSteps} * Kind::kOperations;
    table.row({Kind::kName, text(chains), text(repetition), text(operations), text(cycles),
               decimal(static_cast<double>(cycles) / static_cast<double>(operations))});
  }
}

template <typename Kind>
void measure_dependence(const RunPlan& run, DeviceMemory<SpanRecord>& span, Table& table) {
  measure_chains<Kind, 1>(run, span, table);
  measure_chains<Kind, 2>(run, span, table);
  measure_chains<Kind, 4>(run, span, table);
}

inline void measure_dependent(Session& session, const std::vector<RunPlan>& plan) {
  Table table("dependent");
  DeviceMemory<SpanRecord> span(1);
  for (const RunPlan& run : plan) {
    measure_dependence<Fp32>(run, span, table);
    measure_dependence<Fp64>(run, span, table);
    measure_dependence<Int32>(run, span, table);
    measure_dependence<Sfu>(run, span, table);
  }
  session.write(table);
}

}  // namespace probe
