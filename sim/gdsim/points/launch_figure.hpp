#pragma once

#include <gdsim/record/run_record.hpp>
#include <gdsim/scenario/scenario.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gdsim {

/// A time of a run by which it is judged: its duration, or that of some of its launches.
struct LaunchFigure {
  enum class Time : std::uint8_t {
    duration,  ///< LaunchRecord::duration()
    wait       ///< from its submission to its first dispatch
  };
  enum class Of : std::uint8_t { sum, mean, p50, p99 };

  std::string launch;  ///< its name; with the launches of a `count`, the name of all; empty: all launches
  Time time = Time::duration;
  Of of = Of::mean;
};

/// Reads `LAUNCH[:duration|:wait][:mean|:p50|:p99]`. Throws InputError.
LaunchFigure parse_launch_figure(const std::string& text);

/// Returns the time, a mean rounded down, a percentile as the time of one of the launches. Throws InputError, with the
/// names of launches, if there is none of this name. Launches without this time do not count.
Duration time_of(const LaunchFigure& figure, const std::vector<std::string>& names,
                 const std::vector<LaunchRecord>& launches);
Duration time_of(const LaunchFigure& figure, const Scenario& scenario, const RunRecord& record);

/// `req3:wait:p99`
std::string to_text(const LaunchFigure& figure);

/// `req3 takes`, `on average, req waits`: the beginning of a sentence that a duration ends. Without a figure: `the run
/// takes`.
std::string words_for(const std::optional<LaunchFigure>& figure);

/// Returns the figure for a run whose launches begin at times that the file gives, as those of an imported profile do:
/// the sum of their durations. Nullopt for other runs: their own duration is meant.
std::optional<LaunchFigure> figure_of_pinned_launches(const Workload& workload);

}  // namespace gdsim
