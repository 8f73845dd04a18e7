#pragma once

#include <gdsim/run/simulate.hpp>
#include <gdsim/scenario/scenario.hpp>

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace gdsim {

/// A scenario with one thing changed. The changed run shows the cost of that thing.
struct Counterfactual {
  std::string what;  ///< its name in tables: `no_tail`, `level_unlimited:HBM`
  Scenario scenario;
  /// The subject, with the numbers of the baseline run: `Tail: 1 of 529 blocks is left over for the last wave`. A
  /// sentence on the saving follows.
  std::string subject;
  std::string how = "without that";  ///< the condition of the changed run: `longest first`
  std::string artefact = {};         ///< why it takes longer only in the simulation; empty: not an artefact
  std::size_t device = 0;            ///< among several devices, the one of `subject`
};

/// Returns every change that has an effect on this scenario, in a fixed order. `baseline` is the unchanged run.
///
/// `no_tail` removes the last, partial wave of a kernel's work-groups and spreads its work over the others. An
/// unlimited resource that must have a rate gets 100,000 times its rate, or the maximum of any device. Barriers are
/// removed from programs; unlimited accesses to SLM are removed except for their latency. Equal work-groups do the mean
/// work, over factors and programs of their own. At most twelve accesses to L1 with `coalesced` lines are tried per
/// kernel, those whose lines fall most. Sizes of work-groups and sub-groups, and the register mode, are changed for the
/// kernel whose launch lasted longest; at most six sizes are tried.
std::vector<Counterfactual> counterfactuals(const Scenario& scenario, const RunRecord& baseline);

/// Returns the scenario with all changes of these names at once, or nullopt if none of them has an effect.
std::optional<Scenario> changed_scenario(const Scenario& scenario, const RunRecord& baseline,
                                         const std::vector<std::string>& names);

}  // namespace gdsim
