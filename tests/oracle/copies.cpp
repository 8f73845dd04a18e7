#include "oracle/copies.hpp"

#include "oracle/launches.hpp"

#include <algorithm>
#include <vector>

namespace gdsim::oracle {
namespace {

bool serves(const CopyRule& rule, std::size_t engine, CopyDirection direction) {
  return rule.engines == 1 || (engine % 2 == 0) == (direction == CopyDirection::host_to_device);
}

bool is_free(const World& world, std::size_t engine) {
  return std::none_of(world.launches.begin(), world.launches.end(), [engine](const LaunchState& launch) {
    return launch.copy_engine == engine && !launch.has_copied;
  });
}

bool needs_engine(const Launch& launch) { return launch.is_copy() && !launch.is_link_copy(); }

/// Returns copies that are ready and have not begun, in the order in which they begin.
std::vector<std::size_t> waiting_copies(const World& world) {
  std::vector<std::size_t> copies;
  for (std::size_t id = 0; id < world.launches.size(); ++id)
    if (needs_engine(world.launch(id)) && world.launches[id].ready && !world.launches[id].copy_engine)
      copies.push_back(id);
  std::stable_sort(copies.begin(), copies.end(),
                   [&](std::size_t a, std::size_t b) { return world.launches[a].ready < world.launches[b].ready; });
  return copies;
}

}  // namespace

void begin_copies(World& world) {
  for (const std::size_t id : waiting_copies(world)) {
    LaunchState& launch = world.launches[id];
    for (std::size_t engine = 0; engine < world.device.copy->engines && !launch.copy_engine; ++engine)
      if (serves(*world.device.copy, engine, world.launch(id).as_copy().direction) && is_free(world, engine))
        launch.copy_engine = engine;
    if (!launch.copy_engine) continue;
    begin_copy(world, id);
  }
}

void begin_copy(World& world, std::size_t id) {
  world.launches[id].first_dispatched = world.launches[id].fully_dispatched = world.now;
  if (!world.has_begun) world.start = world.now;
  world.has_begun = true;
}

std::optional<Time> end_of_copy(const World& world, std::size_t id) {
  const LaunchState& launch = world.launches[id];
  if (launch.has_copied) return std::nullopt;
  if (world.launch(id).is_link_copy()) return launch.landed;
  if (!launch.copy_engine) return std::nullopt;
  const auto bytes = static_cast<std::uint64_t>(world.launch(id).as_copy().bytes.count);
  const auto bandwidth = static_cast<UInt128>(world.device.copy->bandwidth.count);
  const auto passing = round_product({Decimal::whole(bytes)}, {1'000'000'000'000, bandwidth});
  return *launch.first_dispatched + world.device.copy->latency.count + passing.value();
}

void end_copy(World& world, std::size_t id) {
  world.launches[id].has_copied = true;
  world.turn_is_due = true;  // its engine was given back
  end_if_done(world, id);
}

}  // namespace gdsim::oracle
