#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/probe_model/probe_logs.hpp>
#include <gdsim/probe_model/value_list.hpp>

#include <string>
#include <vector>

namespace gdsim {

/// Adds the latency and the banks of shared memory, the cost of a barrier by warps, and the rates of atomic accesses to
/// one address and to many. Problems of a table are added to `left_out`; then its values are the family's.
void add_core_costs(const ProbeLogs& logs, const DeviceSpec& family, ValueList& values, std::vector<std::string>& notes,
                    std::vector<Diagnostic>& left_out);

}  // namespace gdsim
