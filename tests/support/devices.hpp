#pragma once

#include "support/scenarios.hpp"

#include <gdsim/run/ensemble/ensemble.hpp>

#include <string>

namespace gdsim::testing {

/// A scenario of several devices, read and run. Throws if it was refused.
struct DevicesRun {
  explicit DevicesRun(const std::string& text);

  /// The end of a launch of the host, in picoseconds; -1 if it has none.
  std::int64_t end_of(const std::string& launch) const;
  /// The time when its first thread was placed, or its copy began, in picoseconds; -1 if neither happened.
  std::int64_t start_of(const std::string& launch) const;

  ReadText read;
  EnsembleResult result;

 private:
  const LaunchRecord& record_of(const std::string& launch) const;
};

}  // namespace gdsim::testing
