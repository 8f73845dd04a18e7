#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/probe_model/probe_logs.hpp>
#include <gdsim/probe_model/value_list.hpp>

#include <string>
#include <vector>

namespace gdsim {

/// The latency and the banks of shared memory, what a barrier costs by warps, and how fast atomic accesses of one
/// address and of many are served. Problems of a table are added to `left_out`; then its values are the family's.
void add_core_costs(const ProbeLogs& logs, const DeviceSpec& family, ValueList& values, std::vector<std::string>& notes,
                    std::vector<Diagnostic>& left_out);

}  // namespace gdsim
