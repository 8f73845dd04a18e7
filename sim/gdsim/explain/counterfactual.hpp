#pragma once

#include <gdsim/run/simulate.hpp>
#include <gdsim/scenario/read_scenario.hpp>

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace gdsim {

/// A scenario with one thing changed, to see what that thing costs.
struct Counterfactual {
  std::string what;  ///< its name in tables: `no_tail`, `level_unlimited:HBM`
  Scenario scenario;
  /// What it is about, with the numbers of the run as it is: `Tail: 1 of 529 blocks is left over for the last wave`.
  /// The sentence about what the change saves follows.
  std::string subject;
  std::string how = "without that";  ///< how the changed run is: `longest first`
  std::string artefact = {};  ///< why it takes longer only in the simulation, if it does; empty: that is no artefact
  std::size_t device = 0;     ///< of several: the one that `subject` is about
};

/// Every change that changes something in this scenario, in a fixed order. `baseline` is the run as it is.
///
/// `no_tail` takes the last, partial wave of a kernel's work-groups away and spreads its work over the others. What is
/// unlimited gets 100,000 times its rate where it must have one, or the most that any device may have. Barriers are
/// taken out of programs, and so are accesses to SLM that are unlimited, but for their latency. Equal work-groups do
/// the mean of what they do, by factors and by programs of their own. Of the accesses to L1 that have `coalesced`
/// lines, at most twelve of each kernel are tried, those whose lines fall most. Sizes of work-groups and sub-groups,
/// and the register mode, are those of the kernel whose launch lasted longest; at most six sizes are tried.
std::vector<Counterfactual> counterfactuals(const Scenario& scenario, const RunRecord& baseline);

}  // namespace gdsim
