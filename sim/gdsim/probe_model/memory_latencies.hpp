#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/probe_model/model_fit.hpp>
#include <gdsim/probe_model/probe_logs.hpp>
#include <gdsim/probe_model/value_list.hpp>

#include <string>
#include <vector>

namespace gdsim {

/// Adds the latency of the L2, from rings of lines well inside it and well beyond the first level, and that of DRAM,
/// from rings at least four times as large as the L2. The latency of the first level becomes a note. The table's own
/// problems are added to `left_out`.
void add_latencies(const ProbeLogs& logs, ValueList& values, std::vector<std::string>& notes,
                   std::vector<Diagnostic>& left_out);

/// Refines both latencies, by `calibrate`, from rings beyond the first level that caches still hold in part. `device`
/// has both levels, its file is `device_yaml`, and the values are theirs. They stay as they are if the rings do not
/// determine them.
void fit_latencies(const ProbeLogs& logs, const DeviceSpec& device, const std::string& device_yaml,
                   const FitSetting& setting, ProbedValue& l2, ProbedValue& dram);

}  // namespace gdsim
