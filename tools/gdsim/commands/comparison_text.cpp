#include "commands/comparison_text.hpp"

#include <gdsim/base/text.hpp>
#include <gdsim/points/run_point.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace gdsim::cli {
namespace {

/// `to` minus `from` with its sign and two decimals, exact until it is rounded.
std::string signed_difference(Ratio from, Ratio to) {
  // Two decimals of ten-thousandths show no difference from the exact values.
  const Int128 difference = Int128{ten_thousandths(to)} - ten_thousandths(from);
  const auto size = static_cast<UInt128>(difference < 0 ? -difference : difference);
  const std::string digits = to_fixed({size, 10'000}, 2);
  return (digits == "0.00" ? "" : difference < 0 ? "-" : "+") + digits;
}

std::string percent(Ratio ratio) { return to_fixed(ratio, 2) + " %"; }

/// The row of a phase; if only part of the phase was measured, with the length of that part.
std::string row_text(std::size_t i, const PhaseComparison& row) {
  const Duration duration = row.phase.end - row.phase.begin;
  std::string text = fmt::format("{:>5}  {:>14}  {:>14}  ", i + 1, to_text(row.phase.begin), to_text(duration));
  if (!row.overlap) return text + fmt::format("{:>10}  {:>10}\n", "", "-");
  text += fmt::format("{:>10}  {:>10}  {:>10}", percent(row.overlap->simulated), percent(row.overlap->measured),
                      signed_difference(row.overlap->simulated, row.overlap->measured));
  return text + (row.overlap->time < duration ? "  (of " + to_text(row.overlap->time) + ")\n" : "\n");
}

/// Which time is left out, and why.
std::string left_out_text(const RunView& view, const MeasuredOccupancy& measured, Duration compared) {
  std::string text;
  Duration unknown = std::min(view.record.end, measured.end()) - view.record.first_dispatch - compared;
  if (unknown.count > 0) text += ", without " + to_text(unknown) + " that the measured series does not cover";
  if (measured.end() < view.record.end)
    text += "; " + to_text(view.record.end - measured.end()) + " more are only simulated";
  if (measured.end() > view.record.end)
    text += "; " + to_text(measured.end() - view.record.end) + " more are only measured";
  return text;
}

}  // namespace

std::string comparison_text(const RunView& view, const MeasuredOccupancy& measured, const Comparison& comparison) {
  constexpr std::size_t max_rows = 40;
  std::string text = printable(view.title) + "\non " + printable(view.device) + "\n";
  text += fmt::format("simulated {}, measured {}\n\n", to_text(view.record.active()),
                      to_text(measured.end() - view.record.first_dispatch));
  text += fmt::format("{:>5}  {:>14}  {:>14}  {:>10}  {:>10}  {}\n", "phase", "start", "duration", "simulated",
                      "measured", "difference");
  for (std::size_t i = 0; i < comparison.phases.size() && i < max_rows; ++i) text += row_text(i, comparison.phases[i]);
  if (comparison.phases.size() > max_rows)
    text += fmt::format("  ... and {} more\n", comparison.phases.size() - max_rows);
  const Overlap& whole = comparison.whole;
  if (whole.time.count == 0)
    return text + "nothing to compare: no time is covered by both, the run and the measurement\n";
  text += fmt::format("{:>5}  {:>14}  {:>14}  {:>10}  {:>10}  {:>10}\n\n", "mean", "", "", percent(whole.simulated),
                      percent(whole.measured), signed_difference(whole.simulated, whole.measured));
  text += fmt::format("compared over {}{}\n", to_text(whole.time), left_out_text(view, measured, whole.time));
  text += fmt::format("apart by {} percentage points (mean absolute difference over time)\n",
                      to_fixed(whole.difference, 2));
  return text;
}

}  // namespace gdsim::cli
