#include <gdsim/report/comparison.hpp>

#include <gdsim/report/levels.hpp>

#include <algorithm>

namespace gdsim {
namespace {

/// A mean of threads as percent of all contexts.
Ratio percent_of_threads(const Bin& bin, std::uint64_t contexts) {
  const Ratio mean = bin.mean();
  return {mean.numerator * 100, mean.denominator * contexts};
}

Ratio percent_of_measured(const Bin& bin) {
  const Ratio mean = bin.mean();
  return {mean.numerator, mean.denominator * MeasuredOccupancy::kPerPercent};
}

Bin whole(PointsView<Level> levels, Picoseconds start, Picoseconds end) {
  return bins_of(levels, start, end, 1).front();
}

/// The integral of |simulated - measured| in 1/10000 percent x contexts x picoseconds.
UInt128 absolute_difference(PointsView<Level> simulated, PointsView<Level> measured, std::uint64_t contexts,
                            Picoseconds start, Picoseconds end) {
  UInt128 sum = 0;
  auto s = simulated.begin();
  auto m = measured.begin();
  Picoseconds at = start;
  UInt128 of_simulated = 0;
  UInt128 of_measured = 0;
  while (at < end) {
    for (; s != simulated.end() && (*s).time <= at; ++s) of_simulated = UInt128{(*s).value} * MeasuredOccupancy::kFull;
    for (; m != measured.end() && (*m).time <= at; ++m) of_measured = UInt128{(*m).value} * contexts;
    Picoseconds next = end;
    if (s != simulated.end()) next = std::min(next, (*s).time);
    if (m != measured.end()) next = std::min(next, (*m).time);
    const UInt128 difference = of_simulated > of_measured ? of_simulated - of_measured : of_measured - of_simulated;
    sum += difference * static_cast<std::uint64_t>((next - at).count);
    at = next;
  }
  return sum;
}

}  // namespace

Comparison compare(const RunView& view, const MeasuredOccupancy& measured) {
  Points<Level> simulated = device_levels(view.timeline).resident;
  simulated.push_back({view.end, 0});
  const Picoseconds end = std::max(view.end, measured.end());
  Comparison result;
  for (const PhaseRow& phase : view.phases)
    result.phases.push_back({phase, percent_of_threads(whole(simulated, phase.start, phase.end), view.contexts_total),
                             percent_of_measured(whole(measured.levels, phase.start, phase.end))});
  result.simulated = percent_of_threads(whole(simulated, view.start, end), view.contexts_total);
  result.measured = percent_of_measured(whole(measured.levels, view.start, end));
  const UInt128 span = static_cast<UInt128>((end - view.start).count);
  result.difference = {absolute_difference(simulated, measured.levels, view.contexts_total, view.start, end),
                       span * view.contexts_total * MeasuredOccupancy::kPerPercent};
  return result;
}

}  // namespace gdsim
