#pragma once

#include <gdsim/scenario/read_scenario.hpp>

#include <vector>

namespace gdsim::testing {

/// Returns, by expectation of a scenario, true if it is missed. None is missed if the scenario cannot run for a reason
/// that no expectation names.
std::vector<bool> missed_expectations(const Scenario& scenario);

}  // namespace gdsim::testing
