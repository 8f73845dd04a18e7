// Aligns the clocks of cores, which began at different times. Each core reads its clock at the same steps of a timer.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

#include "launch.hpp"
#include "memory.hpp"
#include "session.hpp"

namespace probe {

/// The number of samples that a block takes in one calibration.
constexpr std::uint32_t kSamples = 32;

struct ClockSample {
  std::uint64_t slot, ticks, clock;
  std::uint32_t core;
};

/// Waits until the timer reaches the next multiples of `period` ticks and reads both clocks right after. Thus blocks
/// that are resident together read at the same instants, up to one reading of the timer.
__global__ void sample_kernel(ClockSample* samples, std::uint64_t period, std::uint32_t polls) {
  if (threadIdx.x != 0) return;
  const std::uint32_t core = core_of(hardware_id(), hardware_partition());
  std::uint64_t slot = read_timer() / period + 2;
  for (std::uint32_t sample = 0; sample < kSamples; ++sample, ++slot) {
    std::uint64_t ticks = 0;
    std::uint32_t poll = 0;
    do {
      ticks = read_timer();
    } while (ticks < slot * period && ++poll < polls);
    const std::uint64_t clock = read_clock();
    samples[blockIdx.x * kSamples + sample] = ClockSample{slot, ticks, clock, core};
  }
}

/// About 150 us: 32 samples, 4 us apart, of two blocks per core.
inline std::vector<ClockSample> sample_clocks(const Device& device) {
  const unsigned blocks = device.shape.cores * 2;
  DeviceMemory<ClockSample> samples(std::size_t{blocks} * kSamples);
  launch(sample_kernel, blocks, device.shape.warp, 0, nullptr, samples.get(), device.timer_hertz / 250000, 100000U);
  GPU_CHECK(GPU(DeviceSynchronize)());
  return samples.read();
}

/// Returns how far each core's clock is ahead of the reference core's: the median over instants that both sampled. The
/// clock's rate corrects readings of the timer that were one step late.
inline std::map<std::uint32_t, double> clock_offsets(const Device& device, const std::vector<ClockSample>& samples) {
  const double rate = device.shape.cycles_per_us * 1e6 / static_cast<double>(device.timer_hertz);  // cycles per tick
  std::map<std::uint64_t, std::map<std::uint32_t, ClockSample>> instants;
  std::uint32_t reference = ~0U;
  for (const ClockSample& one : samples) {
    instants[one.slot].emplace(one.core, one);
    reference = std::min(reference, one.core);
  }
  std::map<std::uint32_t, std::vector<double>> differences;
  for (const auto& [slot, cores] : instants) {
    const auto base = cores.find(reference);
    if (base == cores.end()) continue;
    for (const auto& [core, one] : cores) {
      const auto clocks = static_cast<double>(static_cast<std::int64_t>(one.clock - base->second.clock));
      const auto ticks = static_cast<double>(static_cast<std::int64_t>(one.ticks - base->second.ticks));
      differences[core].push_back(clocks - ticks * rate);
    }
  }
  std::map<std::uint32_t, double> offsets;
  for (auto& [core, all] : differences) {
    std::sort(all.begin(), all.end());
    offsets[core] = (all[(all.size() - 1) / 2] + all[all.size() / 2]) / 2;
  }
  return offsets;
}

/// The maximum difference between offsets before and after an experiment.
constexpr double kMaxDriftCycles = 100;

struct Alignment {
  std::map<std::uint32_t, double> offsets;  ///< empty: clocks could not be aligned
  double drift = 0;                         ///< the largest change of an offset in cycles
};

/// Compares offsets over a core of both samplings, which may have used different cores.
inline Alignment align(const Device& device, const std::vector<ClockSample>& before,
                       const std::vector<ClockSample>& after) {
  Alignment alignment;
  if (device.clock_bits < 64) return alignment;
  const std::map<std::uint32_t, double> earlier = clock_offsets(device, before);
  const std::map<std::uint32_t, double> later = clock_offsets(device, after);
  const auto common =
      std::find_if(earlier.begin(), earlier.end(), [&](const auto& one) { return later.count(one.first) > 0; });
  if (common == earlier.end()) return alignment;
  for (const auto& [core, offset] : earlier) alignment.offsets[core] = offset - common->second;
  for (const auto& [core, offset] : later) {
    const double moved = offset - later.at(common->first);
    const auto [place, is_new] = alignment.offsets.emplace(core, moved);
    if (!is_new) alignment.drift = std::max(alignment.drift, std::abs(moved - place->second));
  }
  if (alignment.drift > kMaxDriftCycles) alignment.offsets.clear();
  return alignment;
}

inline void add_clock_rows(const Session& session, Table& table, const char* when,
                           const std::vector<ClockSample>& samples) {
  std::uint64_t first = ~0ULL;
  for (const ClockSample& one : samples) first = std::min(first, one.slot);
  for (const ClockSample& one : samples) {
    table.row({when, text(one.core), text(one.slot - first), text(session.after_base(one.ticks)), text(one.clock)});
  }
}

}  // namespace probe
