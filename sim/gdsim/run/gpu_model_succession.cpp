#include <gdsim/run/gpu_model.hpp>

#include <algorithm>
#include <limits>
#include <utility>

// On a device that is full of work-groups whose lives are known, hardly anything happens but relays. They need no
// events then, nobody tells them one by one, and the dispatcher decides only where work-groups on several cores end at
// once.

namespace gdsim {
namespace {

/// So many at most, or a few for each place, before others look again whether the run is to stop.
constexpr std::uint64_t kMostInSuccession = std::uint64_t{1} << 20U;
constexpr std::uint64_t kMostPerPlace = 16;

/// Relays before a succession is looked for first.
constexpr std::uint64_t kFewRelays = 16;

}  // namespace

void GpuModel::note_relay(LaunchId launch) {
  ++relayed_;
  if (relayed_launch_ == launch) return;
  relayed_launch_ = launch;
  relayed_ = 1;
  next_succession_ = std::max(kFewRelays, execution_.active());
}

/// After so many relays that going over to a succession, and back, costs little beside them.
void GpuModel::look_for_succession() {
  relayed_ = 0;
  next_succession_ *= 2;
  const LaunchId launch = *relayed_launch_;
  const std::uint64_t undispatched = dispatcher_.undispatched(launch);
  if (undispatched < 4 * execution_.active()) return;
  std::optional<LifeTimes> lives = execution_.life_times(launch);
  if (!lives) return;
  std::vector<Place> places = execution_.places_of(launch);
  if (places.empty() || !all_can_relay(launch, places)) return;
  execution_.leave(places);
  const std::uint64_t least = places.size();
  Succession succession(std::move(places), std::move(*lives), dispatcher_.dispatched(launch), queue_.now());
  const std::uint64_t most = std::max(kMostInSuccession, kMostPerPlace * least);
  const std::uint64_t count = let_succeed(launch, succession, std::min(most, undispatched - 2 * least));
  if (count >= 2 * least) next_succession_ = 1;
}

bool GpuModel::all_can_relay(LaunchId launch, const std::vector<Place>& places) const {
  std::vector<CoreId> cores;
  for (const Place& place : places) {
    if (!dispatcher_.can_relay(launch, execution_.group(place.group).threads, place.core)) return false;
    cores.push_back(place.core);
  }
  std::sort(cores.begin(), cores.end());
  cores.erase(std::unique(cores.begin(), cores.end()), cores.end());
  return dispatcher_.waits_alike(launch, cores);
}

/// Nothing happens before but what is known to.
Picoseconds GpuModel::next_unknown() {
  Picoseconds bound{std::numeric_limits<std::int64_t>::max()};
  if (control_.bounds.time) bound = *control_.bounds.time;
  if (const auto next = queue_.next_time()) bound = std::min(bound, *next);
  if (const auto next = execution_.contention().next()) bound = std::min(bound, next->first);
  return bound;
}

/// Until anything else happens, or `most` places were handed on, or most of them come free together: how many were.
std::uint64_t GpuModel::let_succeed(LaunchId launch, Succession& succession, std::uint64_t most) {
  const auto bound = static_cast<std::uint64_t>(next_unknown().count);
  const auto note = [this, &succession, remembers = dispatcher_.placement_remembers()](std::uint32_t place) {
    if (remembers) dispatcher_.choose_again(succession.place(place).core);
  };
  std::uint64_t told = 0;
  std::uint64_t together = 0;
  const auto tell_dispatcher = [&] {
    if (succession.handed_on() > told)
      dispatcher_.relayed(launch, succession.handed_on() - told, succession.last_core());
  };
  while (!succession.go_on(bound, most, note)) {
    tell_dispatcher();
    give_together(launch, succession);
    told = succession.handed_on();
    together += succession.together().size();
    if (2 * together > told + succession.places()) break;
  }
  tell_dispatcher();
  const std::uint64_t count = succession.handed_on();
  if (count > 0) queue_.pass(succession.now() - queue_.now(), [](const Event&) { return false; });
  execution_.come_back(succession.take_places());
  parts_left_[index_of(launch)] -= count;
  events_ += count;
  events_before_ = events_;
  if (count > 0) listeners_.handed_on(queue_.now(), count);
  return count;
}

/// Work-groups on several cores have ended at one instant: the dispatcher places the next where it always would.
void GpuModel::give_together(LaunchId launch, Succession& succession) {
  const Picoseconds now = succession.now();
  for (const std::uint32_t index : succession.together()) {
    const Place& place = succession.place(index);
    const Footprint& footprint = dispatcher_.footprint(launch, execution_.group(place.group).threads);
    Core& core = bank_.cores[index_of(place.core)];
    core.give_back_threads(footprint, footprint.threads, now, EngineSet::none, bank_.engine_sets);
    core.give_back_group(footprint);
    dispatcher_.gave_back(place.core);
  }
  for (const Grant& grant : dispatcher_.turn(now)) {
    GDSIM_CHECK(grant.launch == launch, "another launch was placed where one waits alone");
    succession.give(grant.core);
  }
  GDSIM_CHECK(succession.given() == succession.together().size(), "a place that came free was not handed on");
}

}  // namespace gdsim
