#pragma once

#include <gdsim/scenario/read_scenario.hpp>

#include <vector>

namespace gdsim::testing {

/// Which expectations of a scenario are missed, by their order. Where it cannot be run, for a reason that none of them
/// expects, none is.
std::vector<bool> missed_expectations(const Scenario& scenario);

}  // namespace gdsim::testing
