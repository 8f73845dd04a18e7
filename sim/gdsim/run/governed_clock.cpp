#include <gdsim/run/governed_clock.hpp>

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/compile/compiled_parts.hpp>
#include <gdsim/device/device_limits.hpp>
#include <gdsim/device/power_rule.hpp>

#include <string>
#include <utility>
#include <vector>

namespace gdsim {
namespace {

/// Cuts the time of a run into periods, and gives each the clock that the load of the one before asks for.
class Governor {
 public:
  explicit Governor(const DeviceSpec& device) : rule_(*device.power), clock_(*device.clock) {}

  /// From where the last span ended up to `until`, so many contexts are held.
  void add(SimTime until, std::uint64_t threads) {
    for (int ended = 0; ended < 2 && end_of_period_ <= until; ++ended) {
      hold(end_of_period_, threads);
      end_period();
    }
    // The second of them was one of this load alone: so are all others that end before, and have the same clock.
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

/// The clocks that the load of a run asks for until it ends.
std::vector<ClockChange> clocks_for(const DeviceSpec& device, const RunResult& run) {
  Governor governor(device);
  std::uint64_t threads = 0;
  for (const ResidentPoint& point : run.resident.points) {
    governor.add(point.time, threads);
    threads = point.threads;
  }
  governor.add(run.record.end, threads);
  std::vector<ClockChange> changes = governor.take_changes();
  while (!changes.empty() && changes.back().at >= run.record.end) changes.pop_back();
  return changes;
}

/// The same with these clocks instead of `power`. What was checked under all clocks of `power` holds under these.
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

}  // namespace

Compiled govern_clock(const Compiled& compiled, const SwitchedRunOptions& options) {
  const CompiledParts& parts = CompiledParts::of(compiled);
  if (!parts.device.power) return compiled;
  SwitchedRunOptions quiet = options;
  quiet.observers.clear();
  quiet.wait_series.clear();
  quiet.copied_at.reset();
  quiet.keep_timeline = KeepTimeline::resident_threads;
  std::vector<ClockChange> known;
  while (true) {
    Compiled governed = with_clocks(parts, known);
    const RunResult run = simulate(governed, quiet);
    std::vector<ClockChange> asked_for = clocks_for(parts.device, run);
    if (asked_for == known || run.record.outcome == Outcome::interrupted) return governed;
    if (asked_for.size() > device_limits::kClockChanges) {
      asked_for.resize(device_limits::kClockChanges);
      if (asked_for == known) refuse_changes(known.back().at, *parts.device.power);
    }
    known = std::move(asked_for);
  }
}

}  // namespace gdsim
