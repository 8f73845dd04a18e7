#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/probe_model/probe_logs.hpp>
#include <gdsim/probe_model/value_list.hpp>

#include <string>
#include <vector>

namespace gdsim {

/// `arithmetic.KIND` of each kind that the table `arithmetic` measures and the family knows: operations per cycle of a
/// core, over its engines. Kinds of the family that it does not measure stay as they are. A family that knows a kind by
/// another rate than half to twice what was measured is a conflict, which is noted.
void add_arithmetic(const ProbeLogs& logs, const DeviceSpec& family, ValueList& values, std::vector<std::string>& notes,
                    std::vector<Diagnostic>& left_out);

}  // namespace gdsim
