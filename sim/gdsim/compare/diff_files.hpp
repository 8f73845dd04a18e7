#pragma once

#include <gdsim/compare/run_diff.hpp>
#include <gdsim/report/sink.hpp>

#include <optional>
#include <string>

namespace gdsim {

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
/// `+12.5 %`, `-3.0 %`, `=`; empty if there is no change().
std::string diff_change_text(const DiffRow& row);

}  // namespace gdsim
