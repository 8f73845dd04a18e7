#include "cases/run_end.hpp"

#include "terminal/log.hpp"

#include <gdsim/base/quantity.hpp>

namespace gdsim::cli {

ExitStatus report_end(const std::string& name, const RunRecord& record, HasTimes has_times) {
  switch (record.outcome) {
    case Outcome::completed:
      log_info(name + (has_times == HasTimes::yes
                           ? " completed after " + to_text(record.duration())
                           : " completed; the program of a kernel is a placeholder, so there are no times"));
      return ExitStatus::done;
    case Outcome::deadlock: log_warning(name + " deadlocked: nothing can happen any more"); return ExitStatus::stalled;
    case Outcome::interrupted:
      log_warning(name + " was interrupted at " + to_text(record.end) + " of simulated time");
      return ExitStatus::interrupted;
    case Outcome::bounded:
      log_warning(name + " came to its bound at " + to_text(record.end) + " of simulated time");
      return ExitStatus::done;
  }
  return ExitStatus::defect;
}

}  // namespace gdsim::cli
