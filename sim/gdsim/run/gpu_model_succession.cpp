#include <gdsim/run/gpu_model.hpp>

#include <algorithm>
#include <limits>
#include <utility>

// On a device that is full of work-groups whose lives are known, hardly anything happens but relays. They need no
// events then, nobody tells them one by one, and the dispatcher decides only where work-groups on several cores end at
// once.

namespace gdsim {
namespace {

/// So many at most, before others look again whether the run is to stop.
constexpr std::uint64_t kMostInSuccession = std::uint64_t{1} << 20U;

}  // namespace

/// After so many relays that going over to a succession, and back, costs little beside them.
void GpuModel::look_for_succession() {
  relayed_ = 0;
  const LaunchId launch = *relayed_launch_;
  std::optional<LifeTimes> lives = execution_.life_times(launch);
  std::vector<Place> places;
  if (lives) places = execution_.places_of(launch);
  const std::uint64_t undispatched = dispatcher_.undispatched(launch);
  const bool can_go_on = undispatched > 4 * places.size() && all_can_relay(launch, places);
  if (places.empty() || !can_go_on) {
    next_succession_ *= 2;
    return;
  }
  execution_.leave(places);
  const std::uint64_t least = places.size();
  Succession succession(std::move(places), std::move(*lives), dispatcher_.dispatched(launch), queue_.now());
  const std::uint64_t count = let_succeed(launch, succession, undispatched - 2 * least);
  next_succession_ = count < 2 * least ? 2 * next_succession_ : 1;
}

bool GpuModel::all_can_relay(LaunchId launch, const std::vector<Place>& places) const {
  std::vector<CoreId> cores;
  for (const Place& place : places)
    if (!dispatcher_.can_relay(launch, execution_.group(place.group).threads, place.core)) return false;
  for (const Place& place : places) cores.push_back(place.core);
  std::sort(cores.begin(), cores.end());
  cores.erase(std::unique(cores.begin(), cores.end()), cores.end());
  return dispatcher_.waits_alike(launch, cores);
}

/// Until anything else happens, or `most` places were handed on; how many were.
std::uint64_t GpuModel::let_succeed(LaunchId launch, Succession& succession, std::uint64_t most) {
  Picoseconds bound{std::numeric_limits<std::int64_t>::max()};
  if (control_.bounds.time) bound = std::min(bound, *control_.bounds.time);
  if (const auto next = queue_.next_time()) bound = std::min(bound, *next);
  if (const auto next = execution_.contention().next()) bound = std::min(bound, next->first);
  const bool remembers = dispatcher_.placement_remembers();
  const auto note = [&](std::uint32_t place) {
    if (remembers) dispatcher_.choose_again(succession.place(place).core);
  };
  most = std::min(most, kMostInSuccession);
  std::uint64_t told = 0;
  const auto tell_dispatcher = [&] {
    if (succession.handed_on() > told)
      dispatcher_.relayed(launch, succession.handed_on() - told, succession.last_core());
  };
  while (!succession.go_on(static_cast<std::uint64_t>(bound.count), most, note)) {
    tell_dispatcher();
    give_together(launch, succession);
    told = succession.handed_on();
  }
  tell_dispatcher();
  const std::uint64_t count = succession.handed_on();
  if (count > 0) queue_.pass(succession.now() - queue_.now(), [](const Event&) { return false; });
  execution_.come_back(succession.take_places());
  parts_left_[index_of(launch)] -= count;
  events_ += count;
  for (Observer* observer : observers_) observer->handed_on(count);
  return count;
}

/// Work-groups on several cores have ended at one instant: the dispatcher places the next where it always would.
void GpuModel::give_together(LaunchId launch, Succession& succession) {
  const Picoseconds now = succession.now();
  for (const std::uint32_t index : succession.together()) {
    const Place& place = succession.place(index);
    const std::uint32_t threads = execution_.group(place.group).threads;
    const Footprint& footprint = dispatcher_.footprint(launch, threads);
    Core& core = bank_.cores[index_of(place.core)];
    core.give_back_threads(footprint, threads, now, EngineSet::none, bank_.engine_sets);
    core.give_back_group(footprint);
    dispatcher_.gave_back(place.core);
  }
  for (const Grant& grant : dispatcher_.turn(now)) succession.give(grant.core);
  GDSIM_CHECK(succession.together().empty(), "a place that came free with others was not handed on");
}

}  // namespace gdsim
