#include <gdsim/scenario/compile_scenario.hpp>

namespace gdsim {

Compiled compile_scenario(const Scenario& scenario) {
  return compile_in_place(scenario.device, scenario.dispatch, scenario.workload).value();
}

}  // namespace gdsim
