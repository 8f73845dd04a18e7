#pragma once

#include <gdsim/counterfactual/counterfactual.hpp>
#include <gdsim/run/ensemble/ensemble.hpp>

#include <vector>

namespace gdsim {

/// Returns every change that has an effect on a scenario of several devices: each of counterfactuals(), at once on all
/// devices where it has an effect, by each device's unchanged run; and changes of the connections between devices:
///
/// `links_unlimited`: 100,000 times the bandwidth, and no latency. `collectives_free`: collectives exchange nothing,
/// and their parts wait for no other device. All other changes leave parts of collectives unchanged. Graphs are not
/// tried, because a graph is of one device.
std::vector<Counterfactual> counterfactuals_of_devices(const Scenario& scenario, const EnsembleResult& baseline);

}  // namespace gdsim
