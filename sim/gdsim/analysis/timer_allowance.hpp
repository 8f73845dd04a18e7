#pragma once

#include <gdsim/base/quantity.hpp>
#include <gdsim/record/run_record.hpp>
#include <gdsim/workload/workload.hpp>

#include <span>
#include <string>
#include <string_view>

namespace gdsim {

/// The time that a method of timing adds to the duration of a single kernel.
struct TimerAllowance {
  std::string_view name;    ///< as in `--timer NAME`
  std::string_view what;    ///< the timer, in words
  Duration adds;            ///< to the time from a kernel's begin to its last end
  std::string_view source;  ///< where the number comes from
};

/// Returns those of nvbench, do_bench, cuda_events and profiler.
std::span<const TimerAllowance> timer_allowances();

/// Returns the timer of this name, or null.
const TimerAllowance* find_timer(std::string_view name);

/// `nvbench's cold timing adds about 1.4 us (SOURCE)`
std::string timer_words(const TimerAllowance& timer);

/// `nvbench's cold timing adds about 1.4 us (SOURCE). It would show k 12.4 us; around the whole run, 12.4 us.` Launches
/// that have not ended are left out.
std::string timer_note(const TimerAllowance& timer, const Workload& workload, const RunRecord& record);

}  // namespace gdsim
