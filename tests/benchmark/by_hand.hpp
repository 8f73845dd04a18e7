#pragma once

#include "plain_radix_heap.hpp"

#include <gdsim/base/decimal.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

// The GPU-shaped job as loops that know nothing else: durations are given, work-groups take the slots of those that
// end, and the integral of what is resident is kept. Their results are compared with those of gdsim.

namespace gdsim::benchmarks {

struct ByHand {
  std::uint64_t end = 0;  ///< of the last work-group
  Int128 integral = 0;    ///< of resident work-groups, picoseconds
};

constexpr std::uint32_t kHandCores = 132;
constexpr std::uint32_t kHandSlots = 8;

/// Ends in a radix heap, free slots by core.
inline ByHand run_with_radix_heap(const std::vector<std::int64_t>& durations) {
  ByHand result;
  PlainRadixHeap<std::uint32_t> ends;
  std::vector<std::uint32_t> free(kHandCores, kHandSlots);
  std::size_t next = 0;
  std::uint64_t resident = 0;
  const auto place = [&](std::uint64_t now, std::uint32_t core) {
    for (; free[core] > 0 && next < durations.size(); --free[core], ++resident)
      ends.push(now + static_cast<std::uint64_t>(durations[next++]), core);
  };
  for (std::uint32_t core = 0; core < kHandCores; ++core) place(0, core);
  std::vector<std::uint32_t> freed;
  while (!ends.empty()) {
    freed.clear();
    ends.take([&](std::uint64_t time, std::uint32_t core) {
      result.integral += Int128{resident} * static_cast<std::int64_t>(time - result.end);
      result.end = time;
      --resident;
      ++free[core];
      freed.push_back(core);
    });
    for (const std::uint32_t core : freed) place(result.end, core);
  }
  return result;
}

/// The end of a work-group in a slot.
struct SlotEnd {
  std::uint64_t time = 0;
  std::uint32_t slot = 0;
};

/// By time, byte by byte of what they lie behind `first`.
inline void radix_sort(std::vector<SlotEnd>& ends, std::vector<SlotEnd>& other, std::uint64_t first,
                       std::uint64_t last) {
  for (unsigned shift = 0; shift < 64 && (last - first) >> shift != 0; shift += 8) {
    std::array<std::uint32_t, 257> begin{};
    const auto byte = [&](const SlotEnd& end) { return (end.time - first) >> shift & 0xFFU; };
    for (const SlotEnd& end : ends) ++begin[byte(end) + 1];
    for (std::size_t i = 1; i < begin.size(); ++i) begin[i] += begin[i - 1];
    other.resize(ends.size());
    for (const SlotEnd& end : ends) other[begin[byte(end)]++] = end;
    ends.swap(other);
  }
}

/// What ends before the first end and the shortest duration together is known, and sorted at once. Work-groups that end
/// at the same time go to each other's slots as it comes: it does not show in the result.
inline ByHand run_with_horizon(const std::vector<std::int64_t>& durations) {
  ByHand result;
  if (durations.empty()) return result;
  const auto shortest = static_cast<std::uint64_t>(*std::min_element(durations.begin(), durations.end()));
  std::vector<SlotEnd> pending;
  std::vector<SlotEnd> batch;
  std::vector<SlotEnd> spare;
  std::size_t next = 0;
  for (; next < durations.size() && next < kHandCores * kHandSlots; ++next)
    pending.push_back({static_cast<std::uint64_t>(durations[next]), static_cast<std::uint32_t>(next)});
  auto resident = static_cast<std::int64_t>(pending.size());
  while (!pending.empty()) {
    std::uint64_t first = pending.front().time;
    for (const SlotEnd& end : pending) first = std::min(first, end.time);
    batch.clear();
    std::size_t kept = 0;
    for (const SlotEnd& end : pending) {
      const bool is_known = end.time < first + shortest;
      if (is_known) batch.push_back(end);
      pending[kept] = end;
      kept += is_known ? 0 : 1;
    }
    pending.resize(kept);
    radix_sort(batch, spare, first, first + shortest);
    for (const SlotEnd& end : batch) {
      result.integral += Int128{resident} * static_cast<std::int64_t>(end.time - result.end);
      result.end = end.time;
      if (next < durations.size()) {
        pending.push_back({end.time + static_cast<std::uint64_t>(durations[next++]), end.slot});
      } else {
        --resident;
      }
    }
  }
  return result;
}

}  // namespace gdsim::benchmarks
