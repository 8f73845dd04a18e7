#pragma once

#include <gdsim/explain/counterfactual.hpp>
#include <gdsim/run/ensemble/ensemble.hpp>

#include <vector>

namespace gdsim {

/// Every change that changes something in a scenario of several devices: each of counterfactuals(), on all devices at
/// once where it changes something, by the run of each as it is; and of what connects them:
///
/// `links_unlimited`: 100,000 times the bandwidth, and no latency. `collectives_free`: collectives exchange nothing,
/// and their parts wait for no other device. Parts of collectives themselves stay as they are in all other changes.
/// Graphs are not tried: they are of one device.
std::vector<Counterfactual> counterfactuals_of_devices(const Scenario& scenario, const EnsembleResult& baseline);

}  // namespace gdsim
