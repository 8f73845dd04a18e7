#pragma once

#include <gdsim/base/quantity.hpp>
#include <gdsim/record/time_use.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace gdsim {

/// Returns the column of a wait of this kind; for TimeKind::memory, the column of `limit`.
inline constexpr WaitColumn wait_column(TimeKind kind, MemoryLimit limit) {
  return kind == TimeKind::memory ? column_of(limit) : column_of(kind);
}

/// Threads that waited for the same cause, from `begin` to `end` or during a part of that time. The wait is spread
/// evenly over the span: a thread that shares a resource executes at a part of its speed and waits otherwise.
struct WaitSpan {
  struct Repeat {
    std::uint64_t count = 0;
    Duration period;
  };
  static constexpr std::size_t kMaxRepeats = 8;

  SimTime begin;
  SimTime end;
  std::int64_t waited = 0;  ///< picoseconds per thread, at most end - begin
  std::uint64_t threads = 0;
  WaitColumn column = 0;
  std::uint8_t repeated = 0;  ///< number of `repeats` in use
  std::array<Repeat, kMaxRepeats> repeats{};

  /// Repeats the span, `count` times in total. No effect if `count` is 1. Throws std::out_of_range beyond kMaxRepeats.
  void repeat(std::uint64_t count, Duration period) {
    if (count == 1) return;
    repeats.at(repeated) = {count, period};
    ++repeated;
  }
};

}  // namespace gdsim
