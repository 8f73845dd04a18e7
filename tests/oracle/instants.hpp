#pragma once

#include "oracle/world.hpp"

#include <cstddef>
#include <optional>

// The events of one instant, and the time of the next instant.

namespace gdsim::oracle {

/// Prepares the beginning: empty cores, the launches and dispatchers.
void prepare(World& world);
/// Advances time to `now`. Returns true if a dispatch turn is due: a dispatcher is no longer busy then, or a launch is
/// prepared. Without the device, all later events on it are delayed by the same time.
bool come_to(World& world, Time now);

/// Handles one event of the instant, in a given order of kinds: after each event, the first kind in that order with
/// something to do goes next. Resources are freed first, and placement is last. Returns false if no event was left.
/// Without the device, only the host and copies have events.
bool one_thing_happens(World& world);

/// one_thing_happens() in two parts, for devices that go through an instant together: first the host, then rank by
/// rank.
void host_submits(World& world);
inline constexpr std::size_t kRanks = 10;
inline constexpr std::size_t kRankOfCopies = 3;
bool thing_of_rank_happens(World& world, std::size_t rank);

/// The next instant at which the host does something, a launch arrives, or a copy ends.
std::optional<Time> next_instant_of_host(const World& world);
/// The next instant at which something happens on the device, as if the process had it.
std::optional<Time> next_instant_of_device(World& world);
/// The earlier of both instants; without the device, that of the host.
std::optional<Time> next_instant(World& world);

/// Returns true if all launches of this world have ended.
bool is_over(const World& world);

}  // namespace gdsim::oracle
