#pragma once

#include "oracle/naive.hpp"
#include "support/random_runs.hpp"

#include <gdsim/scenario/read_scenario.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace gdsim::oracle {

/// `plain`: event by event. `without_rows`: fast-forwarding without rows of work-groups, so that single work-groups
/// need not be observed.
enum class ModelRun : std::uint8_t { plain, fast_forwarding, without_rows };

/// Returns the tables that the model writes; those that it cannot write in this way are empty. If `copied_at` is given,
/// a copy of the run's state continues from then on.
Tables model_run(const DeviceSpec& device, const DispatchRules& rules, const Workload& workload, ModelRun kind,
                 std::optional<SimTime> copied_at = {});

/// Returns the first difference of two runs: the table, and its line in both. Empty if they are equal.
std::string first_difference(const Tables& one, const Tables& other);

/// Returns the disagreement() of a scenario of several devices. Each pace is compared with the oracle.
std::string disagreement_of_devices(const Scenario& scenario);

/// Runs it in four ways. Returns an empty text if all tables agree, else the table that differs and its first
/// difference.
std::string disagreement(const testing::RandomRun& run);

}  // namespace gdsim::oracle
