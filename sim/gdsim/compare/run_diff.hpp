#pragma once

#include <gdsim/analysis/run_view.hpp>
#include <gdsim/points/run_point.hpp>
#include <gdsim/record/phases.hpp>
#include <gdsim/report/sink.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gdsim {

/// The phases of a run, and the number of contexts of its device.
struct PhasesOfRun {
  const std::vector<Phase>& phases;
  std::uint64_t contexts = 0;
};

/// The positions of matching phases of two runs, or of a phase that only one run has.
struct PhasePair {
  std::optional<std::size_t> a;
  std::optional<std::size_t> b;

  friend bool operator==(const PhasePair&, const PhasePair&) = default;
};

/// Returns true if both phases are of one kind and hold the same share of their devices: exactly if constant, else up
/// to the difference allowed within a band.
bool is_same_phase(const Phase& a, std::uint64_t contexts_a, const Phase& b, std::uint64_t contexts_b);

/// Returns the maximum number of pairs of same phases that keeps the order of both runs. Between them, phases of one
/// kind are pairs if they overlap in time, as shares of all phases of their runs. Phases without a partner are placed
/// between the pairs, by their ends.
std::vector<PhasePair> pair_phases(const PhasesOfRun& a, const PhasesOfRun& b);

/// A number or words from one of two runs.
struct DiffValue {
  enum class Measure : std::uint8_t { none, time, percent, count, words };

  Measure kind = Measure::none;
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
std::vector<DiffRow> diff_runs(const RunView& a, const RunView& b, const std::optional<LaunchFigure>& figure);

/// Two runs to compare, with distinct names.
struct NamedRuns {
  std::string name_a;
  const RunView& a;
  std::string name_b;
  const RunView& b;
  std::optional<LaunchFigure> of = {};  ///< a time that is compared first
};

/// Lists the differences, for a person; equal rows are only counted.
std::string diff_text(const NamedRuns& runs);
/// Columns: section, name, unit, a, b, change_percent. Every row is written.
void write_diff_csv(const NamedRuns& runs, Sink& sink);
void write_diff_json(const NamedRuns& runs, Sink& sink);
/// Writes both timelines on one axis: as a picture, and on a page with the table.
void write_diff_svg(const NamedRuns& runs, Sink& sink);
void write_diff_page(const NamedRuns& runs, Sink& sink);

/// Returns the value for people: `20 ms`, `45.3 %`, `12`, or its words.
std::string diff_value_text(const DiffValue& value);
/// A section or a name in texts: these have `warps` where files have `threads`.
std::string diff_word_text(const std::string& word, const NamedRuns& runs);
/// `+12.5 %`, of percentages `-3.0 % of a`, `=`; empty if there is no change().
std::string diff_change_text(const DiffRow& row);

}  // namespace gdsim
