#include "oracle/group_states.hpp"

#include "oracle/csv.hpp"

namespace gdsim::oracle {

void GroupStates::add_row(Time now, const World& world, const Key& key, const std::string& change, const Held& held) {
  const auto& [launch, group, core] = key;
  rows_ += nanoseconds(now) + "," + world.launch(launch).name + "," + std::to_string(group) + "," +
           std::to_string(core) + "," + change + "," + held.placed + "," + std::to_string(held.threads) + "," +
           std::to_string(held.waiting) + "," + std::to_string(held.ended) + "\n";
}

void GroupStates::take_down(Time time, const std::vector<World*>& worlds) {
  std::map<Key, Held> now;
  for (World* world : worlds) {
    for (const Group& group : world->groups)
      if (!group.ended)
        for (const std::size_t core : group.cores)
          now[{group.launch, group.number, core}].placed = !world->has_device   ? "saved"
                                                           : group.is_partial() ? "partial"
                                                                                : "full";
    world->for_each_resident([&](Group& group, Thread& thread) {
      Held& held = now[{group.launch, group.number, thread.core}];
      ++held.threads;
      held.waiting += thread.state == Thread::State::waiting ? 1 : 0;
      held.ended += thread.state == Thread::State::ended ? 1 : 0;
    });
  }
  const World& any = *worlds.front();
  // Rows of work-groups that leave come first, then changes, then those that come; each by launch, work-group, core.
  for (const auto& [key, held] : written_)
    if (!now.contains(key)) add_row(time, any, key, "leaves", {});
  for (const auto& [key, held] : now)
    if (const auto before = written_.find(key); before != written_.end() && before->second != held)
      add_row(time, any, key, "changes", held);
  for (const auto& [key, held] : now)
    if (!written_.contains(key)) add_row(time, any, key, "comes", held);
  written_ = now;
}

std::string GroupStates::csv() const {
  return "time_ns,launch,work_group,core,change,placed,threads_resident,threads_waiting,threads_ended\n" + rows_;
}

}  // namespace gdsim::oracle
