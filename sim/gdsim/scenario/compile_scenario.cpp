#include <gdsim/scenario/compile_scenario.hpp>

namespace gdsim {

Compiled compile_scenario(const Scenario& scenario) {
  if (!scenario.devices.empty())
    throw InputError(
        {Diagnostic{"several_devices",
                    "several devices run together here, which `gdsim run`, `check`, `explain`, `sweep`, `calibrate`, "
                    "`report` and `diff` can show; for all else write one of them as `device:`, without `devices:`",
                    scenario.file,
                    0,
                    0,
                    {}}});
  return compile_in_place(scenario.device, scenario.dispatch, scenario.workload).value();
}

RunOptions run_options_of(const Scenario& scenario, std::uint64_t number) {
  RunOptions options;
  options.min_phase = scenario.min_phase;
  options.seed_offset = number;
  return options;
}

std::vector<Compiled> compile_devices(const Scenario& scenario) {
  std::vector<Compiled> compiled;
  for (const Scenario& one : scenario.devices) compiled.push_back(compile_scenario(one));
  return compiled;
}

}  // namespace gdsim
