#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/dispatch/accounting/keep_accounts.hpp>
#include <gdsim/points/point_result.hpp>
#include <gdsim/run/ensemble/ensemble.hpp>
#include <gdsim/run/simulate.hpp>
#include <gdsim/scenario/read_scenario.hpp>

#include <string>

namespace gdsim {

/// Runs a scenario for a study; `compiled` is what compile_scenario() made of it. This is the one place in which
/// studies call simulate(). Throws InputError as it does, also where simulated time overflows.
RunResult run_for_study(const Scenario& scenario, const Compiled& compiled, RunOptions options,
                        KeepAccounts accounts = KeepAccounts::yes);
/// The same of a scenario that is not compiled yet.
RunResult run_for_study(const Scenario& scenario, RunOptions options, KeepAccounts accounts = KeepAccounts::yes);

/// The same of a scenario of several devices.
EnsembleResult run_devices_for_study(const Scenario& scenario, const RunOptions& options);

/// Runs a scenario as one point of a study. A scenario that its device refuses is a result; only a defect of ours
/// throws.
PointResult run_point(const Scenario& scenario, const RunOptions& options);

/// A device that refuses a kernel, and a range that does not fit its work-groups, belong to a study; a file that says
/// something else than what it may does not.
bool is_mistake(const InputError& error);

/// The point cannot run for these reasons.
PointResult refused_point(const InputError& error);

}  // namespace gdsim
