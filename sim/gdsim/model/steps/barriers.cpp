#include <gdsim/model/steps/barriers.hpp>

namespace gdsim {
namespace {

using Runs = std::vector<BarrierState::Arrivals>;

/// Splits runs such that the phase that is `ahead` phases after the first has its own run, and returns that run.
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

/// Merges the run with neighbours of the same number of arrived threads.
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

std::uint64_t BarrierState::arrive_among(std::uint64_t phase, std::uint64_t threads) {
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

}  // namespace gdsim
