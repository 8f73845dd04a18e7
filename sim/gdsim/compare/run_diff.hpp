#pragma once

#include <gdsim/analysis/run_view.hpp>
#include <gdsim/points/launch_figure.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gdsim {

/// A number or words from one of two runs.
struct DiffValue {
  enum class Kind : std::uint8_t { none, time, percent, count, words };

  Kind kind = Kind::none;
  std::int64_t number = 0;  ///< picoseconds, ten-thousandths of a percent, or a count
  std::string words;

  friend bool operator==(const DiffValue&, const DiffValue&) = default;
};

/// A row of the comparison, with the values of both runs or of one.
struct DiffRow {
  std::string section;  ///< `run`, `time of threads`, `phase 1`, `phase 2 only in a`, `launch gemm`, ...
  std::string name;     ///< `duration`, `limiter`, ...
  DiffValue a;
  DiffValue b;
  std::string about = {};  ///< the subject of the section, for people; may be empty

  bool is_equal() const { return a == b; }
  /// Returns the relative difference of b from a, in ten-thousandths of a percent; nullopt if that is undefined.
  std::optional<std::int64_t> change() const;
};

/// The word for threads in the text of a comparison: the devices' own, if it is the same for both.
std::string thread_word(const RunView& a, const RunView& b);

/// Compares two runs, with equal values included: durations, occupancy, time use of threads, phases (see
/// pair_phases()), limiters, and for each launch, by its name, its times and its waits. `of`: a time that comes first.
/// Throws InputError if a run has no such launch.
std::vector<DiffRow> diff_runs(const RunView& a, const RunView& b, const std::optional<LaunchFigure>& of = {});

}  // namespace gdsim
