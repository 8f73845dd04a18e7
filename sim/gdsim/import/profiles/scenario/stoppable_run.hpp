#pragma once

#include <gdsim/compile/compile.hpp>
#include <gdsim/run/simulate.hpp>

namespace gdsim {

/// An import was asked to stop: nothing is known, and nothing is to be written.
struct ImportStopped {};

/// simulate(). Throws ImportStopped if `stop` was requested before it was over.
RunResult stoppable_run(const Compiled& compiled, const StopToken& stop);

/// One launch of the kernel, alone.
Workload lone_launch(const Kernel& kernel);

/// How long that lasts, which compiles; 0 if it never begins. Throws like stoppable_run().
Duration lone_duration(const DeviceSpec& device, const Kernel& kernel, const StopToken& stop);

}  // namespace gdsim
