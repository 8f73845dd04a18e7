#include "oracle/barriers.hpp"

#include "oracle/clocks.hpp"
#include "oracle/timing.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <string>

namespace gdsim::oracle {
namespace {

/// Returns true if the thread has a barrier or a signal of this name in its program, outside of loops that it skips.
bool comes_to(const Program& program, std::uint32_t thread, const std::string& name) {
  return std::any_of(program.begin(), program.end(), [&](const Step& step) {
    if (const auto* barrier = std::get_if<Barrier>(&step)) return barrier->name == name;
    if (const auto* signal = std::get_if<Signal>(&step))
      return (signal->index ? flag_name(signal->name, *signal->index) : signal->name) == name;
    if (const auto* loop = std::get_if<Loop>(&step)) return loop->count > 0 && comes_to(loop->body, thread, name);
    if (const auto* only = std::get_if<Only>(&step))
      return takes_part(*only, thread) && comes_to(only->body, thread, name);
    const auto* tiles = std::get_if<Tiles>(&step);
    if (tiles == nullptr) return false;
    bool comes = name == tile_barrier_name(*tiles);
    for (std::size_t i = 0; i < tiles->body_count(); ++i) comes = comes || comes_to(tiles->body_of(i), thread, name);
    return comes;
  });
}

/// Returns the last phase for which all threads have arrived.
std::uint64_t complete_phases(const Program& program, Group& group, const std::string& name) {
  std::uint64_t min = std::numeric_limits<std::uint64_t>::max();
  for (Thread& thread : group.threads)
    if (name.empty() || comes_to(program, thread.number, name)) min = std::min(min, thread.arrivals[name]);
  return min;
}

/// Returns the last phase for which all threads of the launch that signal the flag have done so; nullopt: none does.
std::optional<std::uint64_t> complete_phases_of_flag(const World& world, std::size_t launch, const std::string& flag) {
  const Kernel& kernel = world.kernel(launch);
  std::map<std::uint64_t, const Group*> placed;
  for (const Group& group : world.groups)
    if (group.launch == launch) placed[group.number] = &group;
  std::optional<std::uint64_t> least;
  for (std::uint64_t number = 0; number < world.launches[launch].groups_total; ++number) {
    const auto threads = kernel.threads_of(WorkGroupId{number});
    for (std::uint32_t thread = 0; thread < threads; ++thread) {
      if (!comes_to(program_of(kernel, number), thread, flag)) continue;
      std::uint64_t arrivals = 0;
      if (placed.contains(number)) {
        const auto& counted = placed.at(number)->threads[thread].arrivals;
        if (const auto found = counted.find(flag); found != counted.end()) arrivals = found->second;
      }
      least = std::min(least.value_or(arrivals), arrivals);
    }
  }
  return least;
}

/// Returns how many waits of a thread for this name pass at once.
std::uint64_t passed(const Program& program, const std::string& name) {
  std::uint64_t most = 0;
  for_each_step(program, [&](const Step& step) {
    const auto* signal = std::get_if<Signal>(&step);
    if (signal != nullptr && !signal->index && signal->name == name) most = std::max(most, signal->initially);
  });
  return most;
}

Lengths cost(const World& world, const Group& group) {
  Lengths all = lengths_of(world, world.device.barrier_cost.base);
  const Lengths per_thread = lengths_of(world, world.device.barrier_cost.per_thread);
  for (std::size_t i = 0; i < all.size(); ++i) all[i] += per_thread[i] * static_cast<Time>(group.threads.size());
  return all;
}

}  // namespace

std::uint64_t arrive(World& world, Group& group, Thread& thread, const std::string& name) {
  const std::uint64_t phase = ++thread.arrivals[name];
  std::vector<Time>& completed = group.completed[name];
  const std::uint64_t complete = complete_phases(program_of(world.kernel(group.launch), group.number), group, name);
  while (completed.size() < complete) completed.push_back(world.now);
  return phase;
}

void signal_flag(World& world, const Group& group, Thread& thread, const std::string& flag) {
  ++thread.arrivals[flag];
  std::vector<Time>& completed = world.launches[group.launch].flags[flag];
  const std::uint64_t complete = complete_phases_of_flag(world, group.launch, flag).value();
  while (completed.size() < complete) completed.push_back(world.now);
}

bool wait_for_signal(World& world, const Group& group, Thread& thread, const Wait& wait) {
  if (wait.index) {
    const std::string flag = flag_name(wait.name, *wait.index);
    if (!complete_phases_of_flag(world, group.launch, flag)) return false;
    wait_for_phase(thread, flag, ++thread.waits[flag], Cost::none);
    return true;
  }
  const std::uint64_t first = passed(program_of(world.kernel(group.launch), group.number), wait.name);
  const std::uint64_t number = ++thread.waits[wait.name];
  if (number <= first) return false;
  wait_for_phase(thread, wait.name, number - first, Cost::none);
  return true;
}

void wait_for_phase(Thread& thread, const std::string& name, std::uint64_t phase, Cost cost) {
  thread.state = Thread::State::waiting;
  thread.barrier = name;
  thread.phase = phase;
  thread.adds_barrier_cost = cost == Cost::barrier;
  thread.child.reset();
}

std::optional<Time> opening_for(const World& world, const Group& group, const Thread& thread) {
  const auto& flags = world.launches[group.launch].flags;
  const auto flag = flags.find(thread.barrier);
  if (flag != flags.end() && flag->second.size() >= thread.phase) return flag->second[thread.phase - 1];
  const auto completed = group.completed.find(thread.barrier);
  if (completed == group.completed.end() || completed->second.size() < thread.phase) return std::nullopt;
  const Time complete = completed->second[thread.phase - 1];
  return thread.adds_barrier_cost ? end_of(world, complete, cost(world, group)) : complete;
}

}  // namespace gdsim::oracle
