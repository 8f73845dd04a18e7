#pragma once

#include "oracle/world.hpp"

#include <optional>

// A launch before its arrival on the device, and after its last work-group.

namespace gdsim::oracle {

/// Prepares predecessors, the order of submission, and children.
void prepare_launches(World& world);

/// Returns the time for which the host is busy with the launch at this position of its order.
Time host_cost(const World& world, std::size_t place);
/// Returns the gap between the end of one launch and the readiness of another that waits for it.
Time gap_between(const World& world, std::size_t before, std::size_t after);
/// Returns the end of the host's present submission; nullopt if it waits for a launch, or has no more.
std::optional<Time> end_of_submission(const World& world);
void end_submission(World& world);
/// Returns the time when a batch is sent even if it is not full; nullopt if it is empty, or there is no such time.
std::optional<Time> flush_of_batch(const World& world);
void send_batch(World& world);
/// Returns true if a launch has not arrived, and waits for no other one.
bool may_arrive(const World& world, std::size_t launch);
/// Returns the arrival of a launch that has not arrived; nullopt while that is unknown.
std::optional<Time> arrival_of(const World& world, std::size_t launch);
/// Returns the time when the stores of a launch are acknowledged, if its end or children wait for nothing else.
std::optional<Time> acknowledgement_of(const World& world, std::size_t launch);
/// Submits the launch's late children if it is time, and ends it if it is over. Must be called after a work-group, a
/// child or a store of it has ended or its stores are acknowledged.
void end_if_done(World& world, std::size_t launch);

}  // namespace gdsim::oracle
