#include <gdsim/analysis/comparison.hpp>

#include <gdsim/analysis/levels.hpp>
#include <gdsim/base/text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>

namespace gdsim {
namespace {

/// Walks both series along rising intervals of time.
class OverlapWalk {
 public:
  OverlapWalk(std::span<const Level> simulated, const std::vector<MeasuredSpan>& measured, std::uint64_t contexts)
      : simulated_(simulated), measured_(measured), contexts_(contexts) {}

  std::optional<Overlap> over(SimTime start, SimTime end) {
    sums_ = {};
    for (SimTime at = start; at < end;) at = step(at, end);
    if (sums_.time == 0) return std::nullopt;
    const UInt128 whole = sums_.time * contexts_;
    return Overlap{Duration{static_cast<std::int64_t>(sums_.time)},
                   {sums_.simulated * 100, whole},
                   {sums_.measured, sums_.time * MeasuredOccupancy::kPerPercent},
                   {sums_.difference, whole * MeasuredOccupancy::kPerPercent}};
  }

 private:
  /// The time with a measurement, in picoseconds, and integrals over it: threads, measured occupancy in 1/10000
  /// percent, and the difference in 1/10000 percent of all contexts.
  struct Sums {
    UInt128 time = 0;
    UInt128 simulated = 0;
    UInt128 measured = 0;
    UInt128 difference = 0;
  };

  /// Adds the span from `at` until the next change, and returns the end of that span.
  SimTime step(SimTime at, SimTime end) {
    for (; level_ < simulated_.size() && simulated_[level_].time <= at; ++level_) threads_ = simulated_[level_].value;
    while (span_ < measured_.size() && measured_[span_].end <= at) ++span_;
    SimTime next = end;
    if (level_ < simulated_.size()) next = std::min(next, simulated_[level_].time);
    if (span_ == measured_.size()) return next;
    const MeasuredSpan& span = measured_[span_];
    if (span.begin > at) return std::min(next, span.begin);
    next = std::min(next, span.end);
    add(static_cast<UInt128>((next - at).count), span.occupancy);
    return next;
  }

  void add(UInt128 time, std::uint64_t occupancy) {
    const UInt128 simulated = UInt128{threads_} * MeasuredOccupancy::kFull;
    const UInt128 measured = UInt128{occupancy} * contexts_;
    sums_.time += time;
    sums_.simulated += time * threads_;
    sums_.measured += time * occupancy;
    sums_.difference += time * (simulated > measured ? simulated - measured : measured - simulated);
  }

  std::span<const Level> simulated_;
  const std::vector<MeasuredSpan>& measured_;
  std::uint64_t contexts_;
  std::size_t level_ = 0;
  std::size_t span_ = 0;
  std::uint64_t threads_ = 0;
  Sums sums_;
};

}  // namespace

Comparison compare(const RunView& view, const MeasuredOccupancy& measured) {
  const ChangePoints<Level> simulated = device_levels(view.timeline).resident;
  Comparison result;
  OverlapWalk by_phase(simulated, measured.spans, view.record.contexts_total);
  for (const Phase& phase : view.record.phases.phases)
    result.phases.push_back({phase, by_phase.over(phase.begin, phase.end)});
  OverlapWalk all(simulated, measured.spans, view.record.contexts_total);
  result.whole = all.over(view.record.first_dispatch, view.record.end).value_or(Overlap{});
  return result;
}

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
