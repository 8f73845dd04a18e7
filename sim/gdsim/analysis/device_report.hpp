#pragma once

#include <gdsim/analysis/run_report.hpp>

#include <string>

namespace gdsim {

/// What there is to report of one of several devices that ran together.
struct DeviceReport {
  std::string name;  ///< under `devices:`
  RunReport report;
};

}  // namespace gdsim
