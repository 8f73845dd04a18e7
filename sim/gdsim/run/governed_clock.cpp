#include <gdsim/run/governed_clock.hpp>

#include <gdsim/base/check.hpp>
#include <gdsim/base/diagnostic.hpp>
#include <gdsim/compile/compiled_parts.hpp>
#include <gdsim/device/device_rules.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace gdsim {
namespace {

/// Cuts the time of a run into periods, and gives each the clock that the load of the previous one requests.
class Governor {
 public:
  explicit Governor(const DeviceSpec& device) : rule_(*device.power), clock_(*device.clock) {}

  /// Adds the time from the end of the last call to `until`, during which `threads` contexts are held.
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

}  // namespace

std::vector<ClockChange> clocks_for_load(const DeviceSpec& device, const RunResult& run, SimTime end) {
  Governor governor(device);
  std::uint64_t threads = 0;
  for (const ResidentPoint& point : run.resident.points) {
    governor.add(point.time, threads);
    threads = point.threads;
  }
  governor.add(end, threads);
  return governor.take_changes();
}

namespace {

using Changes = std::vector<ClockChange>;

/// Returns the first time at which two schedules differ, or nullopt if they do not.
std::optional<SimTime> first_difference(const Changes& first, const Changes& second) {
  const auto [a, b] = std::mismatch(first.begin(), first.end(), second.begin(), second.end());
  if (a == first.end() && b == second.end()) return std::nullopt;
  if (a == first.end()) return b->at;
  return b == second.end() ? a->at : std::min(a->at, b->at);
}

/// Returns a Compiled of the same parts, with these clocks instead of `power`. Checks under all clocks of `power`
/// remain valid under these.
Compiled with_clocks(const CompiledParts& parts, Changes changes) {
  DeviceSpec device = parts.device;
  device.power.reset();
  device.clock_changes = std::move(changes);
  ProgramPlans plans(parts.workload->kernels, device);
  return CompiledParts::share({std::move(device), parts.rules, parts.workload, std::move(plans), parts.graph,
                               parts.footprints, parts.policies})
      .value();
}

std::string too_many_changes(SimTime last, const PowerRule& rule) {
  return "is " + to_text(rule.period) + ", so the clock changes more than " +
         std::to_string(device_limits::kClockChanges) + " times until " + to_text(last) + "; give it a longer one";
}

/// Guesses the clocks of one device of several.
class GuessedClocks {
 public:
  GuessedClocks(const Compiled& compiled, std::size_t number)
      : compiled_(&compiled), parts_(&CompiledParts::parts_of(compiled)), number_(number) {}

  bool is_governed() const { return parts_->device.power.has_value(); }
  Compiled device() const { return is_governed() ? with_clocks(*parts_, guess_) : *compiled_; }

  /// Takes the clocks for the load of a run under the guess up to `end`. Returns the first time at which they differ,
  /// or nullopt.
  std::optional<SimTime> take(const RunResult& run, SimTime end) {
    asked_for_ = is_governed() ? clocks_for_load(parts_->device, run, end) : Changes{};
    return first_difference(asked_for_, guess_);
  }

  /// Guesses the requested clocks, up to the maximum number of changes of a device. Throws TooManyClockChanges if the
  /// changes up to `settled`, which are right, are more.
  void follow(SimTime settled) {
    guess_ = std::move(asked_for_);
    if (guess_.size() <= device_limits::kClockChanges) return;
    if (guess_[device_limits::kClockChanges].at <= settled)
      throw TooManyClockChanges(number_, too_many_changes(settled, *parts_->device.power));
    guess_.resize(device_limits::kClockChanges);
  }

  /// Guesses the highest clock from the end of the period that contains `settled`. Returns true if that is new.
  bool hasten(SimTime settled) {
    if (!is_governed()) return false;
    const SimTime unsettled = end_of_period(settled);
    const Hertz highest = parts_->device.power->levels.back().clock;
    Changes faster = guess_;
    while (!faster.empty() && faster.back().at >= unsettled) faster.pop_back();
    if ((faster.empty() ? *parts_->device.clock : faster.back().clock) != highest)
      faster.push_back({unsettled, highest});
    return faster != std::exchange(guess_, faster);
  }

  /// Returns the end of the period that begins at this time or is in progress.
  SimTime end_of_period(SimTime time) const {
    const Duration period = parts_->device.power->period;
    return time + Duration{period.count - time.count % period.count};
  }

 private:
  const Compiled* compiled_;
  const CompiledParts* parts_;
  std::size_t number_;
  Changes guess_;
  Changes asked_for_;
};

/// Runs devices under guessed clocks until their load requests exactly these clocks.
class ClockSearch {
 public:
  ClockSearch(std::span<const Compiled> devices, const RunUnderClocks& run) : run_(run) {
    for (const Compiled& device : devices) guesses_.emplace_back(device, guesses_.size());
  }

  GovernedDevices find() {
    while (true) {
      GovernedDevices governed;
      for (const GuessedClocks& device : guesses_) {
        governed.devices.push_back(device.device());
        governed.have_power.push_back(device.is_governed());
      }
      const auto runs = run_under(governed.devices);
      if (!runs) continue;
      if (is_interrupted(*runs)) {
        governed.known_until = known_until(*runs);
        return governed;
      }
      if (!settle(*runs)) return governed;
    }
  }

 private:
  static bool is_interrupted(const std::vector<RunResult>& runs) {
    return std::any_of(runs.begin(), runs.end(),
                       [](const RunResult& run) { return run.record.outcome == Outcome::interrupted; });
  }

  /// Returns nullopt if the run overflowed because a guess keeps a slow clock for ever. Guesses then have the highest
  /// clock from the first period on that is not settled.
  std::optional<std::vector<RunResult>> run_under(const std::vector<Compiled>& devices) {
    try {
      return run_(devices);
    } catch (const TimeOverflowError&) {
      bool is_faster = false;
      for (GuessedClocks& device : guesses_) is_faster = device.hasten(settled_) || is_faster;
      if (!is_faster) throw;
      return std::nullopt;
    }
  }

  /// Returns the time up to which the device's load is known. A bound of events ends the run of all devices at once: a
  /// device without events at the end kept its load until then.
  static SimTime end_of(const std::vector<RunResult>& runs, std::size_t device) {
    SimTime end = runs[device].record.end;
    if (runs[device].record.outcome != Outcome::bounded) return end;
    for (const RunResult& run : runs) end = std::max(end, run.record.end);
    return end;
  }

  /// Returns true if some device had other clocks than its load requests.
  bool settle(const std::vector<RunResult>& runs) {
    std::optional<SimTime> first;
    for (std::size_t i = 0; i < runs.size(); ++i)
      if (const auto difference = guesses_[i].take(runs[i], end_of(runs, i)))
        first = std::min(first.value_or(*difference), *difference);
    if (!first) return false;
    GDSIM_CHECK(*first > settled_, "the search for clocks makes no progress at " + to_text(*first));
    settled_ = *first;
    for (GuessedClocks& device : guesses_) device.follow(settled_);
    return true;
  }

  /// Returns the time just before the first clock that may be wrong, no later than the ends of the runs.
  SimTime known_until(const std::vector<RunResult>& runs) const {
    SimTime until;
    for (const RunResult& run : runs) until = std::max(until, run.record.end);
    for (const GuessedClocks& device : guesses_)
      if (device.is_governed()) until = std::min(until, SimTime{device.end_of_period(settled_).count - 1});
    return until;
  }

  const RunUnderClocks& run_;
  std::vector<GuessedClocks> guesses_;
  SimTime settled_;  ///< all clocks are right up to the end of the period that begins then, or is then in progress
};

}  // namespace

TooManyClockChanges::TooManyClockChanges(std::size_t device, const std::string& complaint)
    : InputError("device.power.period: " + complaint), device_(device), complaint_(complaint) {}

void GovernedDevices::limit(RunOptions& options) const {
  if (!known_until) return;
  options.stop = {};
  options.bounds.time = std::min(*known_until, options.bounds.time.value_or(*known_until));
}

void GovernedDevices::conclude(std::size_t device, const RunBounds& bounds, RunResult& result) const {
  RunRecord& record = result.record;
  if (record.outcome == Outcome::bounded && known_until && bounds.time.value_or(*known_until) >= *known_until)
    record.outcome = Outcome::interrupted;
  if (!have_power[device]) return;
  for (const ClockChange& change : devices[device].device().clock_changes)
    if (change.at < record.end) record.clock_changes.push_back(change);
}

GovernedDevices govern_clocks(std::span<const Compiled> devices, const RunUnderClocks& run) {
  return ClockSearch(devices, run).find();
}

InternalRunOptions unobserved(InternalRunOptions options) {
  options.observers.clear();
  options.wait_series.clear();
  options.tile_log = nullptr;
  options.keep_timeline = KeepTimeline::resident_threads;
  return options;
}

RunResult simulate_governed(const Compiled& compiled, const InternalRunOptions& options) {
  const GovernedDevices governed =
      govern_clocks({&compiled, 1}, [quiet = unobserved(options)](std::span<const Compiled> devices) {
        std::vector<RunResult> runs;
        runs.push_back(simulate(devices.front(), quiet));
        return runs;
      });
  InternalRunOptions run_options = options;
  governed.limit(run_options);
  RunResult result = simulate(governed.devices.front(), run_options);
  governed.conclude(0, options.bounds, result);
  return result;
}

}  // namespace gdsim
