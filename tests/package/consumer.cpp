#include <gdsim/run/simulate.hpp>
#include <gdsim/scenario/read_scenario.hpp>

#include <iostream>

// The library as its users link it: reads a scenario, runs it, prints the phases' threads.
int main(int argc, char** argv) {
  if (argc != 3) return 2;
  gdsim::SourceFiles sources;
  gdsim::ReadOptions options;
  options.models = {argv[2]};
  for (const auto& one : gdsim::read_scenario(argv[1], options, sources)) {
    const gdsim::Scenario& scenario = one.scenario;
    const auto result = gdsim::simulate(scenario.device, scenario.dispatch, scenario.workload);
    for (const gdsim::Phase& phase : result.record.phases.phases) std::cout << phase.resident << '\n';
  }
}
