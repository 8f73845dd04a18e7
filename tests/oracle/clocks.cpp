#include "oracle/clocks.hpp"

#include "oracle/sharing.hpp"

namespace gdsim::oracle {
namespace {

std::size_t clock_at(const World& world, Time time) {
  std::size_t clock = world.clock_begins.size() - 1;
  while (world.clock_begins[clock] > time) --clock;
  return clock;
}

}  // namespace

void prepare_clocks(World& world) {
  DeviceSpec device = world.device;
  device.clock_changes.clear();
  world.device_by_clock.push_back(device);
  world.clock_begins.push_back(0);
  for (const ClockChange& change : world.device.clock_changes) {
    if (device.clock == change.clock) continue;
    device.clock = change.clock;
    world.device_by_clock.push_back(device);
    world.clock_begins.push_back(change.at.count);
  }
}

const DeviceSpec& device_at(const World& world, Time time) { return world.device_by_clock[clock_at(world, time)]; }

Time end_of(const World& world, Time begin, const Lengths& lengths) {
  const std::size_t first = clock_at(world, begin);
  Time left = lengths[first];
  Time from = begin;
  for (std::size_t next = first + 1; next < world.clock_begins.size(); ++next) {
    const Time until = world.clock_begins[next];
    if (until >= from + left) break;
    const Int128 rest = from + left - until;
    left = static_cast<Time>((rest * lengths[next] + lengths[next - 1] - 1) / lengths[next - 1]);
    from = until;
  }
  return from + left;
}

void follow_clock(World& world) {
  const std::size_t clock = clock_at(world, world.now);
  if (clock == world.clock) return;
  rescale_shares(world, world.clock, clock);
  world.clock = clock;
}

std::optional<Time> next_clock_change(const World& world) {
  if (world.clock + 1 == world.clock_begins.size()) return std::nullopt;
  return world.clock_begins[world.clock + 1];
}

}  // namespace gdsim::oracle
