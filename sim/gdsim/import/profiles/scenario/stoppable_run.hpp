#pragma once

#include <gdsim/compile/compile.hpp>
#include <gdsim/run/simulate.hpp>

namespace gdsim {

/// Thrown if an import was requested to stop: there is no result, and nothing must be written.
struct ImportStopped {};

/// simulate(), but throws ImportStopped if `stop` was requested before the run was over.
RunResult stoppable_run(const Compiled& compiled, const StopToken& stop);

/// A workload of one launch of the kernel.
Workload lone_launch(const Kernel& kernel);

/// The duration of lone_launch(), which must compile; 0 if it never begins. Throws like stoppable_run().
Duration lone_duration(const DeviceSpec& device, const Kernel& kernel, const StopToken& stop);

}  // namespace gdsim
