#include <gdsim/import/profiles/scenario/stoppable_run.hpp>

#include <gdsim/run/internal_run_options.hpp>

namespace gdsim {

RunResult stoppable_run(const Compiled& compiled, const StopToken& stop) {
  RunOptions options;
  options.stop = stop;
  RunResult run = simulate(compiled, options, KeepAccounts::no);
  if (stop.stop_requested()) throw ImportStopped();
  return run;
}

Workload lone_launch(const Kernel& kernel) { return {{kernel}, {{"alone", KernelId{0}, {}}}}; }

Duration lone_duration(const DeviceSpec& device, const Kernel& kernel, const StopToken& stop) {
  const RunResult run = stoppable_run(compile(device, lone_launch(kernel)).value(), stop);
  return run.record.launches.front().duration().value_or(Duration{});
}

}  // namespace gdsim
