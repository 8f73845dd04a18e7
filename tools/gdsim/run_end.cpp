#include "run_end.hpp"

#include "log.hpp"

#include <gdsim/base/quantity.hpp>

namespace gdsim::cli {

ExitStatus tell_end(const std::string& name, const RunRecord& record, const RunOptions& options) {
  switch (record.outcome) {
    case Outcome::completed: return ExitStatus::done;
    case Outcome::stalled: log_warning(name + " stalled: nothing can happen any more"); return ExitStatus::stalled;
    case Outcome::interrupted: {
      const bool was_stopped = options.stop.stop_requested();
      log_warning(name + (was_stopped ? " was interrupted at " : " came to its bound at ") + to_text(record.end) +
                  " of simulated time");
      return ExitStatus::interrupted;
    }
  }
  return ExitStatus::defect;
}

}  // namespace gdsim::cli
