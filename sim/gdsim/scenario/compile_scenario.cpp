#include <gdsim/scenario/compile_scenario.hpp>

#include <memory>

namespace gdsim {

Compiled compile_scenario(const Scenario& scenario) {
  const std::shared_ptr<const Workload> not_owned(std::shared_ptr<const void>(), &scenario.workload);
  return compile(scenario.device, scenario.dispatch, not_owned).value();
}

}  // namespace gdsim
