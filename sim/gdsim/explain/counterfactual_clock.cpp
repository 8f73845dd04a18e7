#include <gdsim/analysis/notes/clock_note.hpp>
#include <gdsim/explain/counterfactual_changes.hpp>

namespace gdsim {

std::optional<ChangeWords> keep_first_clock(const Baseline& run, Scenario& changed) {
  const auto clocks = clocks_in_force(run.scenario().device, run.record());
  if (!clocks) return std::nullopt;
  changed.device.clock_changes.clear();
  return "Clock: it changes (" + *clocks + ")";
}

}  // namespace gdsim
