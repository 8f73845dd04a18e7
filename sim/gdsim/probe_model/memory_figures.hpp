#pragma once

#include <gdsim/base/in_order.hpp>
#include <gdsim/calibrate/calibration.hpp>
#include <gdsim/device/device_spec.hpp>
#include <gdsim/probe_model/probe_logs.hpp>
#include <gdsim/probe_model/probed_model.hpp>
#include <gdsim/run/simulate.hpp>
#include <gdsim/scenario/read_scenario.hpp>

#include <optional>
#include <string>
#include <vector>

namespace gdsim {

/// The settings for fitting values of a device to a table of the probe.
struct FitSetting {
  const ReadOptions& read;
  const RunOptions& run;
  Jobs jobs;
};

/// The result of a fit, or the reason why there is none.
struct ModelFit {
  std::optional<Calibration> found;
  std::string problem;

  /// `the error is 0.31 % on 12 rows, 0.42 % on 5 that were held out`.
  std::string error_text() const;
};

/// Fits values of the device whose file is `device_yaml` by calibrate(): `workload` is the rest of the scenario,
/// `times` the table of measured times without launch costs, `ranges` as after --fit. Three of ten rows are held out.
ModelFit fit_model(const std::string& title, const std::string& device_yaml, const std::string& workload,
                   const std::string& times, const std::vector<std::string>& ranges, const FitSetting& setting);

/// Adds the bandwidth of memory behind the L2, by `calibrate`: of reads of one 8-byte element per thread, with one and
/// two blocks on a core. `device_yaml` is the file of the device as far as it is known, with a level DRAM whose
/// bandwidth is fitted. Runs are as long as 24 waves of blocks. Three of ten rows are held out. If the value cannot be
/// fitted, it is the family's, with the reason.
void add_bandwidth(const ProbeLogs& logs, const DeviceSpec& device, const std::string& device_yaml,
                   const FitSetting& setting, ValueList& values, std::vector<Diagnostic>& left_out);

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
