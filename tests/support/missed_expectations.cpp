#include "builders.hpp"
#include "missed_expectations.hpp"
#include <gdsim/run/ensemble/ensemble.hpp>
#include <gdsim/scenario/expectations/expectations.hpp>

#include <algorithm>

namespace gdsim::testing {

namespace {

std::vector<bool> missed_by_devices(const Scenario& scenario) {
  std::vector<bool> is_missed(scenario.expectations.size(), false);
  std::vector<Compiled> devices;
  for (const Scenario& one : scenario.devices) {
    const Compilation compilation = compile(one.device, one.dispatch, one.workload);
    if (!compilation) return is_missed;
    devices.push_back(compilation.value());
  }
  const std::vector<InternalRunOptions> options(devices.size());
  const EnsembleResult result = simulate_devices({devices, options, scenario.links, scenario.collectives});
  for (std::size_t i = 0; i < scenario.expectations.size(); ++i)
    is_missed[i] =
        !evaluate_expectation(scenario.expectations[i], scenario.devices.front(), {&result.all, nullptr, nullptr})
             .passed;
  return is_missed;
}

}  // namespace

std::vector<bool> missed_expectations(const Scenario& scenario) {
  if (!scenario.devices.empty()) return missed_by_devices(scenario);
  std::vector<bool> is_missed(scenario.expectations.size(), false);
  const Compilation compilation = compile(scenario.device, scenario.dispatch, scenario.workload);
  for (std::size_t i = 0; i < scenario.expectations.size(); ++i)
    if (const auto* refusal = std::get_if<ExpectedRefusal>(&scenario.expectations[i].item))
      is_missed[i] = std::none_of(compilation.issues().begin(), compilation.issues().end(),
                                  [&](const Issue& issue) { return issue.code == refusal->code; });
  if (!compilation || !scenario.refusals.empty()) return is_missed;
  FullRun run = run_fully(scenario.device, scenario.dispatch, scenario.workload);
  for (std::size_t i = 0; i < scenario.expectations.size(); ++i)
    is_missed[i] =
        !evaluate_expectation(scenario.expectations[i], scenario, {&run.record, &run.work_groups, &run.cores}).passed;
  return is_missed;
}

}  // namespace gdsim::testing
