#pragma once

#include <gdsim/base/in_order.hpp>
#include <gdsim/calibrate/calibration.hpp>
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

}  // namespace gdsim
