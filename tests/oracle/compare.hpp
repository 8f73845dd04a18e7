#pragma once

#include "support/random_runs.hpp"

#include <gdsim/scenario/read_scenario.hpp>

#include <string>

namespace gdsim::oracle {

/// Returns the disagreement() of a scenario of several devices. Each pace is compared with the oracle.
std::string disagreement_of_devices(const Scenario& scenario);

/// Returns an empty text if all tables of the oracle and the model agree, else the table that differs and its first
/// difference.
std::string disagreement(const testing::RandomRun& run);

}  // namespace gdsim::oracle
