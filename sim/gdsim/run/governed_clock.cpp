#include <gdsim/run/governed_clock.hpp>

#include <gdsim/base/check.hpp>
#include <gdsim/base/diagnostic.hpp>
#include <gdsim/compile/compiled_parts.hpp>
#include <gdsim/device/device_limits.hpp>
#include <gdsim/device/power_rule.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gdsim {
namespace {

/// Divides the time of a run into periods, and gives each the clock that follows from the load of the previous period.
class Governor {
 public:
  explicit Governor(const DeviceSpec& device) : rule_(*device.power), clock_(*device.clock) {}

  /// Adds the span from the end of the last span to `until`, during which `threads` contexts are held.
  void add(SimTime until, std::uint64_t threads) {
    for (int ended = 0; ended < 2 && end_of_period_ <= until; ++ended) {
      hold(end_of_period_, threads);
      end_period();
    }
    // The second period had this load throughout. So have all further ones that end by `until`: their clock is the
    // same.
    skip((until - now_).count / rule_.period.count);
    hold(until, threads);
  }

  std::vector<ClockChange> take_changes() { return std::move(changes_); }

 private:
  void hold(SimTime until, std::uint64_t threads) {
    busy_ += Int128{threads} * (until - now_).count;
    now_ = until;
  }
  void end_period() {
    const Hertz next = clock_after(rule_, busy_);
    if (next != clock_) changes_.push_back({end_of_period_, next});
    clock_ = next;
    busy_ = 0;
    end_of_period_ = end_of_period_ + rule_.period;
  }
  void skip(std::int64_t periods) {
    if (periods < 1) return;
    now_ = now_ + times(rule_.period, static_cast<std::uint64_t>(periods));
    end_of_period_ = now_ + rule_.period;
  }

  const PowerRule& rule_;
  Hertz clock_;
  SimTime now_;
  SimTime end_of_period_ = SimTime{} + rule_.period;
  Int128 busy_ = 0;  ///< of this period, context-picoseconds
  std::vector<ClockChange> changes_;
};

/// The clocks that follow from the load of a run, up to and including its end: a change there may be why it ends there.
std::vector<ClockChange> clocks_for(const DeviceSpec& device, const RunResult& run) {
  Governor governor(device);
  std::uint64_t threads = 0;
  for (const ResidentPoint& point : run.resident.points) {
    governor.add(point.time, threads);
    threads = point.threads;
  }
  governor.add(run.record.end, threads);
  return governor.take_changes();
}

/// When two schedules first differ. They must differ.
SimTime first_difference(const std::vector<ClockChange>& one, const std::vector<ClockChange>& other) {
  const auto [a, b] = std::mismatch(one.begin(), one.end(), other.begin(), other.end());
  if (a == one.end()) return b->at;
  return b == other.end() ? a->at : std::min(a->at, b->at);
}

/// The same parts with these clocks instead of `power`. All checks hold, because they were made for all clocks of
/// `power`.
Compiled with_clocks(const CompiledParts& parts, std::vector<ClockChange> changes) {
  DeviceSpec device = parts.device;
  device.power.reset();
  device.clock_changes = std::move(changes);
  ProgramPlans plans(parts.workload->kernels, device);
  return CompiledParts::share(new CompiledParts{std::move(device), parts.rules, parts.workload, std::move(plans),
                                                parts.graph, parts.footprints, parts.policies})
      .value();
}

[[noreturn]] void refuse_changes(SimTime last, const PowerRule& rule) {
  throw_input_error({{"device.power.period", "is " + to_text(rule.period) + ", so the clock changes more than " +
                                                 std::to_string(device_limits::kClockChanges) + " times until " +
                                                 to_text(last) + "; give it a longer one"}});
}

/// Runs a workload under guessed clocks until the clocks that follow from its load are those that it had.
class ClockSearch {
 public:
  ClockSearch(const CompiledParts& parts, const SwitchedRunOptions& options) : parts_(parts), options_(options) {
    options_.observers.clear();
    options_.wait_series.clear();
    options_.copied_at.reset();
    options_.keep_timeline = KeepTimeline::resident_threads;
  }

  Compiled find() {
    std::vector<ClockChange> guess;
    while (true) {
      Compiled governed = with_clocks(parts_, guess);
      const auto run = run_under(governed, guess);
      if (!run) continue;
      if (run->record.outcome == Outcome::interrupted) return governed;
      std::vector<ClockChange> asked_for = clocks_for(parts_.device, *run);
      if (asked_for == guess) return governed;
      const SimTime difference = first_difference(asked_for, guess);
      GDSIM_CHECK(difference > settled_, "the search for clocks makes no progress at " + to_text(difference));
      settled_ = difference;
      guess = at_most(std::move(asked_for));
    }
  }

 private:
  /// Returns nothing if the run overflowed because the guess keeps a slow clock for ever. The guess then gets the
  /// highest clock from the first unsettled period on.
  std::optional<RunResult> run_under(const Compiled& governed, std::vector<ClockChange>& guess) const {
    try {
      return simulate(governed, options_);
    } catch (const TimeOverflowError&) {
      const SimTime unsettled = settled_ + rule().period;
      const Hertz highest = rule().levels.back().clock;
      std::vector<ClockChange> faster = guess;
      while (!faster.empty() && faster.back().at >= unsettled) faster.pop_back();
      if ((faster.empty() ? *parts_.device.clock : faster.back().clock) != highest)
        faster.push_back({unsettled, highest});
      if (faster == guess) throw;
      guess = std::move(faster);
      return std::nullopt;
    }
  }

  /// Cuts the changes to the number that a device may have. Throws InputError if more than that are settled.
  std::vector<ClockChange> at_most(std::vector<ClockChange> changes) const {
    if (changes.size() <= device_limits::kClockChanges) return changes;
    if (changes[device_limits::kClockChanges].at <= settled_) refuse_changes(settled_, rule());
    changes.resize(device_limits::kClockChanges);
    return changes;
  }

  const PowerRule& rule() const { return *parts_.device.power; }

  const CompiledParts& parts_;
  SwitchedRunOptions options_;
  SimTime settled_;  ///< the clocks are right up to the end of the period that begins then
};

}  // namespace

Compiled govern_clock(const Compiled& compiled, const SwitchedRunOptions& options) {
  const CompiledParts& parts = CompiledParts::of(compiled);
  return parts.device.power ? ClockSearch(parts, options).find() : compiled;
}

}  // namespace gdsim
