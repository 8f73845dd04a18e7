#pragma once

#include <gdsim/compile/compile.hpp>
#include <gdsim/run/run_switches.hpp>

namespace gdsim {

/// The same workload on a device whose clock changes at the times at which `power` changes it in a run with these
/// options. Where the device has no `power`, the answer is `compiled`. See clock_after().
///
/// Which clock is in force depends on what was resident before, so the workload is run as often as it takes,
/// unobserved: under the clocks that are known so far, then under those that the load of this run asks for, until a run
/// asks for the clocks that it had. Each run is right for one period more than the one before it at least, so there is
/// exactly one answer, and it is found after no more runs than periods, and one. An answer that was interrupted has the
/// clocks of the last run. Throws InputError if the clock changes more often than a device allows, and as simulate().
Compiled govern_clock(const Compiled& compiled, const SwitchedRunOptions& options);

}  // namespace gdsim
