#include <gdsim/run/meetings.hpp>

#include <iterator>

namespace gdsim {
namespace {

using Runs = std::vector<Meeting::Arrivals>;

/// The run of the phase that lies `ahead` of the first, alone in it.
Runs::iterator isolate(Runs& runs, std::uint64_t ahead) {
  auto run = runs.begin();
  while (run != runs.end() && ahead >= run->phases) ahead -= (run++)->phases;
  if (run == runs.end()) {
    if (ahead > 0) runs.push_back({ahead, 0});
    runs.push_back({1, 0});
    return runs.end() - 1;
  }
  if (ahead > 0) {
    run->phases -= ahead;
    run = runs.insert(run, {ahead, run->threads}) + 1;
  }
  if (run->phases > 1) {
    --run->phases;
    run = runs.insert(run, {1, run->threads});
  }
  return run;
}

/// Runs to which as many have come as to this one become one with it.
void join_neighbours(Runs& runs, Runs::iterator run) {
  if (const auto next = run + 1; next != runs.end() && next->threads == run->threads) {
    run->phases += next->phases;
    runs.erase(next);
  }
  if (run != runs.begin() && (run - 1)->threads == run->threads) {
    (run - 1)->phases += run->phases;
    runs.erase(run);
  }
}

}  // namespace

std::uint64_t Meeting::arrive(std::uint64_t phase, std::uint64_t threads) {
  const auto run = isolate(arrived, phase - complete - 1);
  run->threads += threads;
  join_neighbours(arrived, run);
  std::uint64_t done = 0;
  while (participants > 0 && !arrived.empty() && arrived.front().threads >= participants) {
    done += arrived.front().phases;
    arrived.erase(arrived.begin());
  }
  complete += done;
  return done;
}

/// Each thread has come to all phases up to its last: to a later one come fewer, or as many.
Meeting::Comings Meeting::comings() const {
  Comings all;
  std::uint64_t times = complete;
  std::uint64_t threads = participants;
  for (const Arrivals& run : arrived) {
    if (threads > run.threads) all[times] = threads - run.threads;
    times += run.phases;
    threads = run.threads;
  }
  if (threads > 0) all[times] = threads;
  return all;
}

void Meeting::set_comings(const Comings& comings) {
  arrived.clear();
  complete = comings.begin()->first;
  std::uint64_t times = complete;
  std::uint64_t threads = participants - comings.begin()->second;
  for (auto next = std::next(comings.begin()); next != comings.end(); ++next) {
    arrived.push_back({next->first - times, threads});
    times = next->first;
    threads -= next->second;
  }
}

}  // namespace gdsim
