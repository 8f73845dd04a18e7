#pragma once

#include "oracle/world.hpp"

#include <optional>
#include <string>

// Barriers, at which the threads of a work-group wait for each other. Each name is a barrier; a barrier without a name
// is that of the whole work-group. Phase n is complete when each thread of the barrier, placed or not, has arrived for
// the n-th time. Then a `wait` continues at once, and a `barrier` after the device's barrier cost: `base`, and
// `per_thread` for each thread of the work-group.

//
// A signal or wait with an index is of a flag of the launch: phase n of it is complete when every thread of every
// work-group of the launch, placed or not, that has a signal of this name and index has signalled it n times. A wait
// continues then, and at once for a flag that nobody signals. The first `initially` waits of each thread for the name
// of a split barrier continue at once, and the others wait for phase 1, 2, ...

namespace gdsim::oracle {

/// The name of a flag of the launch among the names of barriers. No barrier of a file has this name.
inline std::string flag_name(const std::string& name, std::int64_t index) {
  return "\n" + name + "\n" + std::to_string(index);
}

/// The name of the barrier at which threads of a work-group arrive before it requests a tile. No barrier of a file has
/// this name.
inline std::string tile_barrier_name(const Tiles& tiles) { return "\n" + tiles.list; }

/// Records that the thread arrives at a barrier, or at the first half of one, of this name. Returns its number of
/// arrivals there.
std::uint64_t arrive(World& world, Group& group, Thread& thread, const std::string& name);
/// Records that the thread signals a flag of its launch.
void signal_flag(World& world, const Group& group, Thread& thread, const std::string& flag);
/// Stops the thread at a `wait`, unless it need not wait. Returns false if it continues.
bool wait_for_signal(World& world, const Group& group, Thread& thread, const Wait& wait);
/// Whether opening after the last arrival costs time.
enum class Cost : std::uint8_t { none, barrier };
/// Stops the thread until this phase is complete.
void wait_for_phase(Thread& thread, const std::string& name, std::uint64_t phase, Cost cost);
/// Returns the time when the thread that waits for a phase continues; nullopt while that is unknown.
std::optional<Time> opening_for(const World& world, const Group& group, const Thread& thread);

}  // namespace gdsim::oracle
