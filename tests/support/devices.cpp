#include "support/devices.hpp"

#include <gdsim/scenario/compile_scenario.hpp>

#include <stdexcept>

namespace gdsim::testing {

DevicesRun::DevicesRun(const std::string& text) : read(read_text(text)) {
  if (read.cases.empty()) throw std::runtime_error(read.problems);
  const Scenario& scenario = read.scenario();
  const std::vector<Compiled> compiled = compile_devices(scenario);
  const std::vector<InternalRunOptions> options(compiled.size());
  result = simulate_devices({compiled, options, scenario.links, scenario.collectives});
}

const LaunchRecord& DevicesRun::record_of(const std::string& launch) const {
  const auto& launches = read.scenario().devices.front().workload.launches;
  for (std::size_t i = 0; i < result.all.launches.size(); ++i)
    if (launches[i].name == launch) return result.all.launches[i];
  throw std::runtime_error("there is no launch " + launch);
}

std::int64_t DevicesRun::end_of(const std::string& launch) const {
  const OptionalTime end = record_of(launch).ended;
  return end ? end->count : -1;
}

std::int64_t DevicesRun::start_of(const std::string& launch) const {
  const OptionalTime start = record_of(launch).first_dispatched;
  return start ? start->count : -1;
}

}  // namespace gdsim::testing
