#include <gdsim/analysis/device_as_run.hpp>
#include <gdsim/analysis/notes/clock_note.hpp>
#include <gdsim/explain/counterfactual_changes.hpp>

namespace gdsim {

std::optional<ChangeWords> keep_first_clock(const Baseline& run, Scenario& changed) {
  const auto clocks = clocks_in_force(device_as_run(run.scenario().device, run.record()), run.record());
  if (!clocks) return std::nullopt;
  changed.device.clock_changes.clear();
  changed.device.power.reset();
  return "Clock: it changes (" + *clocks + ")";
}

}  // namespace gdsim
