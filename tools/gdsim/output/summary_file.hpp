#pragma once

#include <gdsim/analysis/run_view.hpp>
#include <gdsim/base/diagnostic.hpp>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gdsim::cli {

/// The facts about one launch in `summary.json`.
struct LaunchSummary {
  std::string copy;  ///< what is copied; empty for a kernel
  std::vector<std::string> after;
  std::optional<Duration> slack;
  WaitTimes waited{};
};

/// The parts of `summary.json` that refer to launches by name; `launches.csv` gives their positions.
struct SummaryLaunches {
  std::map<std::string, LaunchSummary> by_name;
  std::vector<std::string> critical_path;
};

/// Reads `summary.json` into `view`. Every problem is added with its place.
SummaryLaunches read_summary(const SourceText& source, RunView& view, Diagnostics& problems);

}  // namespace gdsim::cli
