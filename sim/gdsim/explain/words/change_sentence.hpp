#pragma once

#include <gdsim/explain/counterfactual.hpp>
#include <gdsim/explain/explain.hpp>

#include <optional>
#include <string>

namespace gdsim {

/// The sentence about a run with one thing changed, and the assumptions behind its number. `scenario` is the device
/// that it is about; `what_takes` begins what is said of the duration, see words_for(); `is_fuller`: more threads are
/// resident at once than in the unchanged run; `caveat`: of declared_caveat().
std::string change_sentence(const ChangedRun& run, const Counterfactual& counterfactual, const Scenario& scenario,
                            const std::string& what_takes, bool is_fuller, const std::optional<std::string>& caveat);

}  // namespace gdsim
