#pragma once

#include <gdsim/base/quantity.hpp>
#include <gdsim/record/time_use.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace gdsim {

/// What a wait for memory was for: 0 is the link of the core, 1 and up are the levels of the memory, fastest first.
using MemoryLimit = std::uint8_t;

/// Where a wait is counted: one column per TimeKind, then one per MemoryLimit.
using WaitColumn = std::uint8_t;
inline constexpr WaitColumn column_of(TimeKind kind) { return static_cast<WaitColumn>(kind); }
inline constexpr WaitColumn column_of(MemoryLimit limit) { return static_cast<WaitColumn>(kTimeKinds + limit); }
/// Of a device whose memory has so many levels.
inline constexpr std::size_t wait_columns(std::size_t levels) { return kTimeKinds + 1 + levels; }

/// Threads that waited for the same thing from `begin` to `end`, all of that time or a part of it. It is spread evenly
/// over the span: a thread that shares a resource executes at a share of its speed and waits with the rest.
///
/// The span may be repeated: `repeats[0].count` times in all, each `repeats[0].period` later; all of that again as
/// `repeats[1]` says, and so on.
struct WaitSpan {
  struct Repeat {
    std::uint64_t count = 0;
    Picoseconds period;
  };
  static constexpr std::size_t kMaxRepeats = 8;

  Picoseconds begin;
  Picoseconds end;
  std::int64_t waited = 0;  ///< picoseconds of each thread, at most end - begin
  std::uint64_t threads = 0;
  WaitColumn column = 0;
  std::uint8_t repeated = 0;  ///< entries of `repeats` that count
  std::array<Repeat, kMaxRepeats> repeats{};

  /// Again, `count` times in all. No effect if that is once.
  void repeat(std::uint64_t count, Picoseconds period) {
    if (count != 1) repeats[repeated++] = {count, period};
  }
};

}  // namespace gdsim
