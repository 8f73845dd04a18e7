#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/probe_model/probe_logs.hpp>
#include <gdsim/probe_model/value_list.hpp>

#include <string>
#include <vector>

namespace gdsim {

/// Adds `arithmetic.KIND` for each kind that the table `arithmetic` measures and the family knows: operations per cycle
/// of a core, over its engines. The family's other kinds stay as they are. If the family's rate of a kind is not within
/// half to twice the measured one, that is a conflict, which is noted.
void add_arithmetic(const ProbeLogs& logs, const DeviceSpec& family, ValueList& values, std::vector<std::string>& notes,
                    std::vector<Diagnostic>& left_out);

}  // namespace gdsim
