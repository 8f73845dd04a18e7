#pragma once

#include <gdsim/base/quantity.hpp>
#include <gdsim/device/device_spec.hpp>
#include <gdsim/counterfactual/counterfactual.hpp>
#include <gdsim/explain/explain.hpp>
#include <gdsim/record/run_record.hpp>
#include <gdsim/scenario/scenario.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <string>

namespace gdsim {

/// The devices of a scenario, each as a scenario: itself if it has one device.
inline std::span<const Scenario> devices_of(const Scenario& scenario) {
  if (scenario.devices.empty()) return std::span(&scenario, 1);
  return scenario.devices;
}

/// A caveat on a run that a change makes shorter while more threads are resident at once, if some of these threads
/// have declared durations, which do not grow with the number of threads that would share resources on hardware. It is
/// about kernels of which more threads fit because of the change, or about all where none of them changes in that
/// respect; never about kernels of collectives. Nothing: the run relies on no declared durations.
std::optional<std::string> declared_caveat(const Scenario& scenario, const RunRecord& record, const Scenario& changed,
                                           const RunRecord& changed_record, const Terms& terms);

/// How many other seeds are tried: few, since each costs a run.
inline constexpr std::size_t kOtherSeeds = 4;

/// Returns true if a run depends on seeds: the work-groups of a launched kernel are drawn.
bool draws_at_random(const Scenario& scenario);

/// Returns a sentence on the range of `baseline` and the durations with other seeds: smaller savings may be chance.
/// Returns nullopt if one of these runs did not complete: a bound cuts off the longest.
std::optional<std::string> seed_note(Duration baseline, std::span<const std::optional<Duration>> others,
                                     const Terms& terms);

/// The sentence about a run with one thing changed, and the assumptions behind its number. `scenario` is the device
/// that it is about; `what_takes` begins what is said of the duration, see words_for(); `is_fuller`: more threads are
/// resident at once than in the unchanged run; `caveat`: of declared_caveat().
std::string change_sentence(const ChangedRun& run, const Counterfactual& counterfactual, const Scenario& scenario,
                            const std::string& what_takes, bool is_fuller, const std::optional<std::string>& caveat);

}  // namespace gdsim
