#include "comparison_text.hpp"

#include <gdsim/base/printable.hpp>

#include <fmt/format.h>

#include <utility>

namespace gdsim::cli {
namespace {

/// `to` minus `from` with its sign and two decimals, exact until it is rounded.
std::string signed_difference(Ratio from, Ratio to) {
  // Percentages in 1/10000 of their exact values lose nothing that two decimals show.
  const auto scaled = [](Ratio ratio) {
    return static_cast<Int128>((ratio.numerator * 20'000 + ratio.denominator) / (2 * ratio.denominator));
  };
  const Int128 difference = scaled(to) - scaled(from);
  const auto size = static_cast<UInt128>(difference < 0 ? -difference : difference);
  const std::string digits = to_fixed({size, 10'000}, 2);
  return (digits == "0.00" ? "" : difference < 0 ? "-" : "+") + digits;
}

std::string percent(Ratio ratio) { return to_fixed(ratio, 2) + " %"; }

}  // namespace

std::string comparison_text(const RunView& view, const MeasuredOccupancy& measured, const Comparison& comparison) {
  constexpr std::size_t most_rows = 40;
  std::string text = printable(view.title) + "\non " + printable(view.device) + "\n";
  text += fmt::format("simulated {}, measured {}\n\n", to_text(view.end - view.start),
                      to_text(measured.end() - view.start));
  text += fmt::format("{:>5}  {:>14}  {:>14}  {:>10}  {:>10}  {}\n", "phase", "start", "duration", "simulated",
                      "measured", "difference");
  for (std::size_t i = 0; i < comparison.phases.size() && i < most_rows; ++i) {
    const PhaseComparison& row = comparison.phases[i];
    text += fmt::format("{:>5}  {:>14}  {:>14}  {:>10}  {:>10}  {:>10}\n", i + 1, to_text(row.phase.start),
                        to_text(row.phase.end - row.phase.start), percent(row.simulated), percent(row.measured),
                        signed_difference(row.simulated, row.measured));
  }
  if (comparison.phases.size() > most_rows)
    text += fmt::format("  ... and {} more\n", comparison.phases.size() - most_rows);
  text +=
      fmt::format("{:>5}  {:>14}  {:>14}  {:>10}  {:>10}  {:>10}\n\n", "mean", "", "", percent(comparison.simulated),
                  percent(comparison.measured), signed_difference(comparison.simulated, comparison.measured));
  text += fmt::format("apart by {} percentage points (mean absolute difference over time)\n",
                      to_fixed(comparison.difference, 2));
  return text;
}

}  // namespace gdsim::cli
