#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/probe_model/probe_logs.hpp>
#include <gdsim/probe_model/probed_model.hpp>

#include <string>
#include <vector>

namespace gdsim {

/// Adds `arithmetic.KIND` for each kind that the table `arithmetic` measures and the family knows: operations per cycle
/// of a core, over its engines. The family's other kinds stay as they are. If the family's rate of a kind is not within
/// half to twice the measured one, that is a conflict, which is noted.
void add_arithmetic(const ProbeLogs& logs, const DeviceSpec& family, ValueList& values, std::vector<std::string>& notes,
                    std::vector<Diagnostic>& left_out);

/// Adds the latency and the banks of shared memory, the cost of a barrier by warps, and the rates of atomic accesses to
/// one address and to many. Problems of a table are added to `left_out`; then its values are the family's.
void add_core_costs(const ProbeLogs& logs, const DeviceSpec& family, ValueList& values, std::vector<std::string>& notes,
                    std::vector<Diagnostic>& left_out);

}  // namespace gdsim
