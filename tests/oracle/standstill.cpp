#include "oracle/standstill.hpp"

namespace gdsim::oracle {
namespace {

void put_off(Share& share, Time by) {
  share.since += by;
  share.begun += by;
}

void put_off(Load& load, Time by) {
  put_off(load.share, by);
  if (load.back) *load.back += by;
}

void put_off(Thread& thread, Time by) {
  thread.until += by;
  put_off(thread.share, by);
  for (Work& work : thread.works) {
    put_off(work.share, by);
    if (work.done) *work.done += by;
  }
  for (Load& load : thread.loads) put_off(load, by);
}

void put_off(Group& group, Time by) {
  for (Thread& thread : group.threads) put_off(thread, by);
  for (auto& [name, phases] : group.completed)
    for (Time& completed : phases) completed += by;
}

/// Delays the end of its cost, the openings of its grid barriers, and the acknowledgement of its stores.
void put_off(LaunchState& launch, Time by) {
  launch.overlapped += by;
  launch.begun_for_device += by;
  launch.acknowledged += by;
  for (auto& opens : launch.grid_opens)
    if (opens) *opens += by;
}

}  // namespace

void put_off(World& world, Time until) {
  const Time by = until - world.now;
  for (Group& group : world.groups)
    if (!group.ended) put_off(group, by);
  for (Store& store : world.stores) {
    put_off(store.load, by);
    store.begun += by;
  }
  for (LaunchState& launch : world.launches) {
    if (launch.ended) continue;
    put_off(launch, by);
    if (launch.begun) launch.away.emplace_back(world.now, until);
  }
  for (Recovery& recovery : world.recovering) recovery.at += by;
  for (DispatcherState& dispatcher : world.dispatchers) dispatcher.busy_until += by;
}

}  // namespace gdsim::oracle
