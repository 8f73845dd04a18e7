#pragma once

#include <gdsim/record/time_use.hpp>
#include <gdsim/workload/workload.hpp>

#include <vector>

namespace gdsim {

// Threads of a collective's kernel wait at its grid barrier for the other devices and their exchange. Files count that
// as `stalled_at_barrier`, which names a barrier of the kernel itself everywhere else.

/// Returns, by kernel, true if it is a collective's; empty if there are no collectives.
std::vector<bool> kernels_of_collectives(const Workload& workload);

/// launched_kernels() without those of collectives, whose steps only hold cores: no time of theirs is declared.
std::vector<const Kernel*> own_launched_kernels(const Workload& workload);

/// Returns true if a launched kernel that is not of a collective has a barrier or waits for a signal.
bool own_kernels_wait_for_signals_or_barriers(const Workload& workload);

/// Returns the part of Activity::barrier's time, in thread-picoseconds, for which collectives waited for other devices.
Int128 exchange_time(const Workload& workload, const std::vector<CoreTimeUse>& time_use);

}  // namespace gdsim
