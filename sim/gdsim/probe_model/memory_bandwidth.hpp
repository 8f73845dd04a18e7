#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/probe_model/model_fit.hpp>
#include <gdsim/probe_model/probe_logs.hpp>
#include <gdsim/probe_model/value_list.hpp>

#include <string>
#include <vector>

namespace gdsim {

/// Adds the bandwidth of memory behind the L2, by `calibrate`: of reads of one 8-byte element per thread, with one and
/// two blocks on a core. `device_yaml` is the file of the device as far as it is known, with a level DRAM whose
/// bandwidth is fitted. Runs are as long as 24 waves of blocks. Three of ten rows are held out. If the value cannot be
/// fitted, it is the family's, with the reason.
void add_bandwidth(const ProbeLogs& logs, const DeviceSpec& device, const std::string& device_yaml,
                   const FitSetting& setting, ValueList& values, std::vector<Diagnostic>& left_out);

}  // namespace gdsim
