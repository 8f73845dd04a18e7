#include <gdsim/import/profiles/scenario/stoppable_run.hpp>

namespace gdsim {

RunResult stoppable_run(const Compiled& compiled, const StopToken& stop) {
  RunOptions options;
  options.stop = stop;
  RunResult run = simulate(compiled, options);
  if (stop.stop_requested()) throw ImportStopped();
  return run;
}

}  // namespace gdsim
