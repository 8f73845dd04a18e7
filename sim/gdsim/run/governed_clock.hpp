#pragma once

#include <gdsim/compile/compile.hpp>
#include <gdsim/run/run_switches.hpp>

namespace gdsim {

/// The same workload on a device whose clock changes at the times at which `power` changes it in a run with these
/// options. Where the device has no `power`, the answer is `compiled`. See clock_after().
///
/// Which clock is in force depends on what was resident before, so the workload is run repeatedly, unobserved: each
/// time under the clocks that follow from the load of the previous run, until they are the clocks that the run had.
/// Each run is right for at least one period more than the previous run, so there is exactly one answer, and it is
/// found after at most one run more than there are periods. An interrupted search returns the clocks of its last run.
/// Throws InputError if the clock changes more often than a device allows, and as simulate().
Compiled govern_clock(const Compiled& compiled, const SwitchedRunOptions& options);

}  // namespace gdsim
