#pragma once

#include "oracle/naive.hpp"
#include "support/random_runs.hpp"

#include <string>

namespace gdsim::oracle {

/// The tables that the model writes, with fast-forwarding or without.
Tables model_run(const DeviceSpec& device, const DispatchRules& rules, const Workload& workload, bool skipping);

/// Where two runs differ first: the table, and its line in both. Empty if they are the same.
std::string first_difference(const Tables& one, const Tables& other);

/// Runs it three ways. Empty if all tables agree, else which differs where.
std::string disagreement(const testing::RandomRun& run);

}  // namespace gdsim::oracle
