#pragma once

#include "oracle/world.hpp"

#include <cstddef>
#include <optional>

// What happens at one instant, and when the next one is.

namespace gdsim::oracle {

/// Empty cores, the launches and dispatchers, at the beginning.
void prepare(World& world);
/// Time comes to `now`. True if a dispatcher is no longer busy then, or a launch is prepared: a turn of dispatch is
/// due. Without the device, all that was to happen on it is put off by as much.
bool come_to(World& world, Time now);

/// What happens at one instant happens in a given order: after each thing that happened, the first that has something
/// takes place. Free before you place; place last. False if nothing was left to happen. Without the device, only the
/// host and copies have something.
bool one_thing_happens(World& world);

/// The same in two parts, for devices that go through an instant together: first the host, then rank by rank.
void host_submits(World& world);
inline constexpr std::size_t kRanks = 10;
inline constexpr std::size_t kRankOfCopies = 3;
bool thing_of_rank_happens(World& world, std::size_t rank);

/// The next instant at which the host does something, a launch arrives, or a copy ends.
std::optional<Time> next_instant_of_host(const World& world);
/// The next instant at which something happens on the device, as if the process had it.
std::optional<Time> next_instant_of_device(World& world);
/// The earlier of both; without the device, that of the host.
std::optional<Time> next_instant(World& world);

/// All launches have ended that are of this world.
bool is_over(const World& world);

}  // namespace gdsim::oracle
