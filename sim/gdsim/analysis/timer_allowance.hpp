#pragma once

#include <gdsim/base/quantity.hpp>

#include <span>
#include <string>
#include <string_view>

namespace gdsim {

/// What a way of timing adds to the duration of a single kernel.
struct TimerAllowance {
  std::string_view name;    ///< as in `--timer NAME`
  std::string_view what;    ///< of the timer, in words
  Duration adds;            ///< to the time from a kernel's begin to its last end
  std::string_view source;  ///< where the number comes from
};

/// nvbench, do_bench, events, profiler.
std::span<const TimerAllowance> timer_allowances();

/// Null if there is no timer of that name.
const TimerAllowance* find_timer(std::string_view name);

/// `nvbench's cold timing adds about 1.4 us (SOURCE)`
std::string timer_words(const TimerAllowance& timer);

}  // namespace gdsim
