#include <gdsim/gdsim.hpp>
#include <gdsim/scenario/read_scenario.hpp>

#include <iostream>

// Reads a scenario, runs it, prints the phases' threads.

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  gdsim::ReadOptions options;
  options.models = {argv[2]};
  for (const auto& one : gdsim::read_scenario(argv[1], options).cases) {
    const gdsim::Scenario& scenario = one.scenario;
    const auto compilation = gdsim::compile(scenario.device, scenario.dispatch, scenario.workload);
    const auto result = gdsim::simulate(compilation.value());
    for (const gdsim::Phase& phase : result.record.phases.phases) std::cout << phase.resident << ' ';
  }
  std::cout << '\n';
}
