#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/workload/workload.hpp>

#include <cstdint>
#include <optional>
#include <vector>

// The length of a piece of work for one thread: its kernel's length, times the factor of the work-group or the thread.
//
// A written factor multiplies each time exactly, and the product is rounded once, halves up; the bytes of a piece are
// multiplied all together. A drawn factor, in billionths, multiplies the whole picoseconds or bytes of a piece all
// together, and the product is rounded in the same way, but to at least 1. A written factor overrides a draw. The
// factor of the first wave multiplies exactly, together with the written one, before anything is rounded.
//
// Where neither a barrier nor a child keeps the T threads of a work-group together and they share something, they are
// cut into min(n, floor(T / 4)) parts, at least one; part p begins with thread ceil(p T / parts). n is 8 for the
// default draw, of which each part has the factor that its first thread would draw for itself; else 2. In loops, odd
// parts are served first where even ones are last.
//
// In the body of tile i of a program's step `tiles` s, counted from 0, draws are those for work-group 2^63 + s 2^32 +
// i.

namespace gdsim::oracle {

/// The thread that does a piece, with its work-group and launch.
struct ThreadKey {
  std::size_t launch = 0;
  std::uint64_t work_group = 0;
  std::uint32_t thread = 0;
  bool is_first_wave = false;  ///< on its core, no thread of the launch had ended when its first thread was placed
  /// In the body of a tile, draws are those of a work-group of this number, which has one thread if single threads take
  /// the tiles.
  std::optional<std::uint64_t> tile_group{};
  bool is_taken_alone = false;
};

/// A time, and the number of its repetitions.
struct RepeatedTime {
  StepTime time;
  std::uint64_t times = 1;
  bool is_rounded_up = false;  ///< all repetitions together, once
};

/// Returns true if the memory serves the thread first in its first piece, last in the next, and so on;
/// nullopt if its kernel draws
/// nothing.
std::optional<bool> is_served_first(const Workload& workload, const ThreadKey& key, bool is_in_loop);
/// Returns the picoseconds of a piece.
std::int64_t varied_time(const DeviceSpec& device, const Workload& workload, const ThreadKey& key,
                         const std::vector<RepeatedTime>& parts);
/// Returns the bytes of a piece.
std::int64_t varied_bytes(const Workload& workload, const ThreadKey& key, std::int64_t bytes);

}  // namespace gdsim::oracle
