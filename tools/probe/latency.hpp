// Measures the latency of each level: one thread follows rings of lines of growing size.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "micro_kernels.hpp"
#include "session.hpp"

namespace probe {

constexpr std::uint32_t kLineBytes = 128;
constexpr std::uint32_t kPageBytes = 2 << 20;
constexpr std::uint32_t kLoads = 8192;

/// The largest ring: four times the L2, between 256 MiB and 1 GiB, at most a quarter of the free memory.
inline std::uint64_t largest_ring(const DeviceShape& shape) {
  const std::uint64_t mebi = 1 << 20;
  // The runtime does not report the Infinity Cache: large devices get the largest ring.
  const std::uint64_t wanted =
      shape.free_bytes > (std::uint64_t{24} << 30)
          ? 1024 * mebi
          : std::clamp<std::uint64_t>(std::uint64_t{shape.l2_bytes} * 4, 256 * mebi, 1024 * mebi);
  return std::min(wanted, shape.free_bytes / 4);
}

/// Loads are at most 2 us each.
inline std::vector<RunPlan> plan_latency(const DeviceShape& shape) {
  std::vector<RunPlan> plan;
  for (std::uint64_t bytes = 4096; bytes <= largest_ring(shape); bytes *= 2) {
    for (const std::uint64_t size : {bytes, bytes + bytes / 2}) {
      if (size > largest_ring(shape)) continue;
      for (const char* order : {"random", "pages"}) {
        if (size <= kPageBytes && std::string(order) == "pages") continue;
        RunPlan run;
        run.name = std::to_string(size / 1024) + "KiB";
        run.variant = order;
        run.parameter = size;
        run.milliseconds = 3 * (2.0 * kLoads * 2 / 1000) + static_cast<double>(size) / 20e6;
        plan.push_back(run);
      }
    }
  }
  return plan;
}

/// Returns a ring through all lines: shuffled as a whole, or within consecutive pages.
inline std::vector<std::uint32_t> ring_of(std::uint32_t lines, bool by_pages) {
  std::vector<std::uint32_t> order(lines);
  std::iota(order.begin(), order.end(), 0U);
  std::mt19937_64 random(20260101);
  const std::uint32_t part = by_pages ? kPageBytes / kLineBytes : lines;
  for (std::uint32_t begin = 0; begin < lines; begin += part) {
    const std::uint32_t count = std::min(part, lines - begin);
    for (std::uint32_t i = count; i > 1; --i) std::swap(order[begin + i - 1], order[begin + random() % i]);
  }
  std::vector<std::uint32_t> next(lines);
  for (std::uint32_t i = 0; i < lines; ++i) next[order[i]] = order[(i + 1) % lines];
  return next;
}

inline void measure_latency(Session& session, const std::vector<RunPlan>& plan) {
  Table table("latency");
  const Device& device = session.device;
  constexpr std::uint32_t kWords = kLineBytes / 4;
  DeviceMemory<std::uint32_t> ring(largest_ring(device.shape) / 4);
  DeviceMemory<std::uint32_t> sink(1), first(device.shape.warp);
  DeviceMemory<SpanRecord> span(1);
  for (const RunPlan& run : plan) {
    const auto lines = static_cast<std::uint32_t>(run.parameter / kLineBytes);
    {
      DeviceMemory<std::uint32_t> next(lines);
      next.write(ring_of(lines, run.variant == "pages"));
      launch(ring_kernel, device.shape.cores * 4, 256, 0, nullptr, ring.get(), next.get(), lines, kWords);
      GPU_CHECK(GPU(DeviceSynchronize)());
    }
    for (unsigned repetition = 0; repetition < run.repetitions; ++repetition) {
      launch(touch_kernel, device.shape.cores * 4, 256, 0, nullptr, ring.get(), lines, kWords, sink.get());
      const std::uint32_t warm = std::min(lines, kLoads);
      launch(chase_kernel, 1, 1, 0, nullptr, ring.get(), first.get(), warm, kLoads, span.get());
      GPU_CHECK(GPU(DeviceSynchronize)());
      const SpanRecord read = span.read()[0];
      const double ns = static_cast<double>(device.nanoseconds(read.end_ticks - read.start_ticks));
      // A clock of few bits may have wrapped: only half of its range is valid.
      const bool wraps = device.clock_bits < 64 &&
                         ns / 1000 * device.shape.cycles_per_us > static_cast<double>(1ULL << (device.clock_bits - 1));
      table.row({text(run.parameter), run.variant, text(repetition), text(kLoads),
                 wraps ? "" : decimal(static_cast<double>(read.cycles) / kLoads), decimal(ns / kLoads)});
    }
  }
  session.write(table);
}

}  // namespace probe
