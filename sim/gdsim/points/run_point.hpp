#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/dispatch/accounting/keep_accounts.hpp>
#include <gdsim/points/launch_figure.hpp>
#include <gdsim/points/point_result.hpp>
#include <gdsim/run/ensemble/ensemble.hpp>
#include <gdsim/run/simulate.hpp>
#include <gdsim/scenario/read_scenario.hpp>

#include <string>

namespace gdsim {

/// Runs a scenario for a study; `compiled` is the result of compile_scenario(). Studies call simulate() only here.
/// Throws InputError as simulate() does, also if simulated time overflows.
RunResult run_for_study(const Scenario& scenario, const Compiled& compiled, RunOptions options,
                        KeepAccounts accounts = KeepAccounts::yes);
/// As above, for a scenario that is not compiled yet.
RunResult run_for_study(const Scenario& scenario, RunOptions options, KeepAccounts accounts = KeepAccounts::yes);

/// As above, for a scenario of several devices.
EnsembleResult run_devices_for_study(const Scenario& scenario, const RunOptions& options);

/// Returns false if the program of a kernel is a placeholder, so that no time of a run means anything.
bool has_durations(const Scenario& scenario);
/// Throws InputError unless has_durations().
void require_durations(const Scenario& scenario);

/// Runs a scenario as one point of a study. Its duration is that of the run, or the time `of`; it has none unless
/// has_durations(). A refusal by the device is a result, and so is a launch of `of` that the scenario lacks. Throws
/// only for an internal defect.
PointResult run_point(const Scenario& scenario, const RunOptions& options, const std::optional<LaunchFigure>& of = {});

/// Returns true if the error means that a file is invalid. Returns false for a kernel that the device refuses, and for
/// a range that does not fit its work-groups: these are points of a study.
bool is_mistake(const InputError& error);

/// Returns the result of a point that cannot run for these reasons.
PointResult refused_point(const InputError& error);

}  // namespace gdsim
