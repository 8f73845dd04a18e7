#pragma once

#include "oracle/world.hpp"

#include <optional>

// The life of a launch up to its arrival on the device, and after its last work-group.

namespace gdsim::oracle {

/// Prepares predecessors, the order of submission, and children.
void prepare_launches(World& world);

/// How long the host is busy with the launch at this place of its order.
Time host_cost(const World& world, std::size_t place);
/// The gap between the end of one launch and the readiness of another that waits for it.
Time gap_between(const World& world, std::size_t before, std::size_t after);
/// When the host will finish its present submission; nullopt if it waits for a launch, or has no more.
std::optional<Time> end_of_submission(const World& world);
void end_submission(World& world);
/// When a batch is sent even if it is not full; nullopt if it is empty, or there is no such time.
std::optional<Time> flush_of_batch(const World& world);
void send_batch(World& world);
/// When a launch that has not arrived will arrive; nullopt as long as that is unknown.
std::optional<Time> arrival_of(const World& world, std::size_t launch);
/// Ends the launch if it is over, after a work-group or a child of it has ended.
void end_if_done(World& world, std::size_t launch);

}  // namespace gdsim::oracle
