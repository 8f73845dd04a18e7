#pragma once

#include <gdsim/analysis/run_report.hpp>

#include <string>

namespace gdsim {

/// The report of one of several devices that ran together.
struct DeviceReport {
  std::string name;  ///< under `devices:`
  RunReport report;
};

}  // namespace gdsim
