#include <gdsim/analysis/timer_allowance.hpp>

#include <gdsim/base/text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace gdsim {
namespace {

constexpr std::array<TimerAllowance, 4> kTimers{{
    {"nvbench", "nvbench's cold measurement", Duration{1'400'000},
     "estimated from published series; NVIDIA/nvbench pull request 250 prints 1.02 us of GPU time for a cold "
     "measurement of no kernel at all"},
    {"do_bench", "Triton's do_bench", Duration{2'500'000},
     "estimated from published series; its events lie around the kernel, behind one that clears the L2 cache "
     "(triton-lang/triton issue 404)"},
    {"cuda_events", "a pair of events around one launch", Duration{4'000'000},
     "estimated from published series; the launch lies between the events (NVIDIA/nvbench issue 184, which saw 10 to "
     "30 us of fluctuation)"},
    {"profiler", "a profiler", Duration{0},
     "a profiler's timestamps are those of the kernel's begin and end (NVIDIA/nvbench issue 184 on CUPTI)"},
}};

}  // namespace

std::span<const TimerAllowance> timer_allowances() { return kTimers; }

const TimerAllowance* find_timer(std::string_view name) {
  if (name == "events") name = "cuda_events";  // as it was called
  const auto* found =
      std::find_if(kTimers.begin(), kTimers.end(), [&](const TimerAllowance& timer) { return timer.name == name; });
  return found == kTimers.end() ? nullptr : found;
}

std::string timer_words(const TimerAllowance& timer) {
  return fmt::format("{} adds {}{} to a kernel's duration ({})", timer.what, timer.adds.count > 0 ? "about " : "",
                     timer.adds.count > 0 ? to_text(timer.adds) : "nothing", timer.source);
}

std::string timer_note(const TimerAllowance& timer, const Workload& workload, const RunRecord& record) {
  constexpr std::size_t max_named = 4;
  std::string text;
  std::size_t count = 0;
  for (std::size_t i = 0; i < workload.launches.size() && i < record.launches.size(); ++i) {
    const LaunchRecord& launch = record.launches[i];
    if (!workload.launches[i].is_kernel() || !launch.begun || !launch.ended || ++count > max_named) continue;
    text += fmt::format("{}{} {}", count > 1 ? ", " : "", printable(workload.launches[i].name),
                        to_rounded_text(*launch.ended - *launch.begun + timer.adds));
  }
  if (count > max_named) text += fmt::format(" and {} more", count - max_named);
  return fmt::format("{}. This timer would show: {}; whole run {}.", timer_words(timer), text,
                     to_rounded_text(record.duration() + timer.adds));
}

}  // namespace gdsim
