#pragma once

#include "oracle/naive.hpp"
#include "support/random_runs.hpp"

#include <gdsim/scenario/read_scenario.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace gdsim::oracle {

/// `plain`: event by event. `without_rows`: fast-forwarding without rows of work-groups, which it then need not
/// observe.
enum class ModelRun : std::uint8_t { plain, fast_forwarding, without_rows };

/// The tables that the model writes; those that it cannot write in this way are empty.
/// From `copied_at` on, if it is given, a copy of the run's state goes on.
Tables model_run(const DeviceSpec& device, const DispatchRules& rules, const Workload& workload, ModelRun kind,
                 std::optional<SimTime> copied_at = {});

/// Where two runs differ first: the table, and its line in both. Empty if they are the same.
std::string first_difference(const Tables& one, const Tables& other);

/// disagreement() of a scenario of several devices. Each pace is compared with the oracle.
std::string disagreement_of_devices(const Scenario& scenario);

/// Runs it in four ways. Empty if all tables agree, else the table that differs and where.
std::string disagreement(const testing::RandomRun& run);

}  // namespace gdsim::oracle
