#include <gdsim/scenario/expectations/expectations.hpp>

#include <algorithm>
#include <span>

namespace gdsim {
namespace {

template <class Range, class ToText>
std::string list(const Range& range, ToText to_word) {
  std::string text;
  for (const auto& item : range) text += (text.empty() ? "" : ", ") + to_word(item);
  return "[" + text + "]";
}

std::string percent_text(Ratio ratio) { return to_fixed(ratio, 4); }

/// Evaluates one kind of item against the results of the run.
class ItemEvaluator {
 public:
  ItemEvaluator(const Expectation& expectation, const Scenario& scenario, const RunData& evidence)
      : within_(expectation.within),
        scenario_(scenario),
        record_(*evidence.record),
        work_groups_(evidence.work_groups),
        cores_(evidence.cores) {}

  ExpectationResult operator()(const ExpectedPhases& item) const {
    const auto phases = levels();
    bool held = phases.size() == item.percent.size();
    for (std::size_t i = 0; held && i < phases.size(); ++i) held = is_near(occupancy(phases[i]), item.percent[i]);
    return {held, list(item.percent, [](const Decimal& d) { return to_text(d); }),
            list(phases, [this](const Phase& p) { return percent_text(occupancy(p)); }), points()};
  }

  ExpectationResult operator()(const ExpectedPhaseThreads& item) const {
    const auto phases = levels();
    const bool held = std::equal(phases.begin(), phases.end(), item.threads.begin(), item.threads.end(),
                                 [](const Phase& phase, std::uint64_t threads) { return phase.resident == threads; });
    return {held, list(item.threads, [](std::uint64_t t) { return std::to_string(t); }),
            list(phases, [](const Phase& p) { return std::to_string(p.resident); }), "exact"};
  }

  ExpectationResult operator()(const ExpectedRunningThreads& item) const {
    const auto phases = levels();
    bool held = phases.size() == item.threads.size();
    for (std::size_t i = 0; held && i < phases.size(); ++i)
      held = is_within(phases[i].mean_running(), item.threads[i], within_.threads.value_or(Decimal{}));
    return {held, list(item.threads, [](const Decimal& d) { return to_text(d); }),
            list(phases, [](const Phase& p) { return to_fixed(p.mean_running(), 4); }),
            within_.threads ? to_text(*within_.threads) + " threads" : "exact"};
  }

  ExpectationResult operator()(const ExpectedPhaseDurations& item) const {
    const auto phases = levels();
    const bool held =
        std::equal(phases.begin(), phases.end(), item.times.begin(), item.times.end(),
                   [this](const Phase& phase, Duration time) { return is_near(phase.end - phase.begin, time); });
    return {held, list(item.times, [](Duration time) { return to_text(time); }),
            list(phases, [](const Phase& p) { return to_text(p.end - p.begin); }), any_time_tolerance()};
  }

  ExpectationResult operator()(const ExpectedAchievedOccupancy& item) const {
    return occupancy_verdict(record_.achieved_occupancy(), item.percent);
  }

  ExpectationResult operator()(const ExpectedCores& item) const {
    std::vector<std::uint64_t> peaks(scenario_.device.cores, 0);
    for (const CorePoint& point : cores_->points())
      peaks[index_of(point.core)] = std::max<std::uint64_t>(peaks[index_of(point.core)], point.resident.threads);
    ExpectationResult verdict{true, {}, {}, points()};
    for (const ExpectedCores::Peak& peak : item.cores) {
      const std::size_t core = index_of(peak.core);
      const std::string number = std::to_string(core);
      append(verdict.expected, number + ": " + to_text(peak.percent) + " %");
      if (core >= peaks.size()) {
        verdict.passed = false;
        append(verdict.found, number + ": the device has no such core");
        continue;
      }
      const ExpectationResult result =
          occupancy_verdict({UInt128{peaks[core]} * 100, scenario_.device.contexts_per_core()}, peak.percent);
      verdict.passed = verdict.passed && result.passed;
      append(verdict.found, number + ": " + result.found);
    }
    return verdict;
  }

  ExpectationResult operator()(const ExpectedPeakOccupancy& item) const {
    return occupancy_verdict(record_.peak_occupancy(), item.percent);
  }

  ExpectationResult operator()(const ExpectedMeanOccupancy& item) const {
    return occupancy_verdict(record_.mean_occupancy(), item.percent);
  }

  ExpectationResult operator()(const ExpectedDuration& item) const {
    return {is_near(record_.duration(), item.time), to_text(item.time), to_text(record_.duration()),
            any_time_tolerance()};
  }

  ExpectationResult operator()(const ExpectedActive& item) const {
    return {is_near(record_.active(), item.time), to_text(item.time), to_text(record_.active()), any_time_tolerance()};
  }

  ExpectationResult operator()(const ExpectedOutcome& item) const {
    return {record_.outcome == item.outcome, std::string(name_of(item.outcome)), std::string(name_of(record_.outcome)),
            "exact"};
  }

  ExpectationResult operator()(const ExpectedLaunchTimes& item) const {
    ExpectationResult verdict{true, {}, {}, any_time_tolerance()};
    for (const auto& expected : item.launches) {
      const LaunchRecord& found = record_.launches[index_of(expected.launch)];
      const std::string& name = scenario_.workload.launches[index_of(expected.launch)].name;
      compare_time(name + " start", expected.first_dispatched, found.first_dispatched, verdict);
      compare_time(name + " end", expected.ended, found.ended, verdict);
      compare_time(name + " begun", expected.begun, found.begun, verdict);
      compare_time(name + " duration", expected.duration, found.duration(), verdict);
      compare_time(name + " active", expected.active, found.active(), verdict);
    }
    return verdict;
  }

  ExpectationResult operator()(const ExpectedPlacement& item) const {
    ExpectationResult verdict{true, {}, {}, "exact"};
    const auto number = [](CoreId core) { return std::to_string(index_of(core)); };
    for (const auto& expected : item.launches) {
      std::vector<std::optional<CoreId>> cores;
      for (const WorkGroupRecord& record : work_groups_->records_of(expected.launch))
        cores.push_back(record.was_placed() ? std::optional(record.core) : std::nullopt);
      while (!cores.empty() && !cores.back()) cores.pop_back();
      const std::string& name = scenario_.workload.launches[index_of(expected.launch)].name;
      verdict.passed =
          verdict.passed && std::equal(cores.begin(), cores.end(), expected.cores.begin(), expected.cores.end());
      append(verdict.expected, name + " " + list(expected.cores, number));
      append(verdict.found,
             name + " " + list(cores, [&](std::optional<CoreId> core) { return core ? number(*core) : "none"; }));
    }
    return verdict;
  }

  ExpectationResult operator()(const ExpectedShareOnCore& item) const {
    const std::span<const WorkGroupRecord> records = work_groups_->records_of(item.launch);
    std::uint64_t same = 0;
    for (const ExpectedShareOnCore::Measured& measured : item.measured) {
      const std::uint64_t number = number_of(measured.work_group);
      if (number < records.size() && records[number].was_placed() && records[number].core == measured.core) ++same;
    }
    const Ratio share = item.measured.empty() ? Ratio{} : Ratio{UInt128{same} * 100, item.measured.size()};
    return {is_at_least(share, item.at_least_percent), "at least " + to_text(item.at_least_percent) + " %",
            percent_text(share) + " % (" + std::to_string(same) + " of " + std::to_string(item.measured.size()) + ")",
            "exact"};
  }

  ExpectationResult operator()(const ExpectedRefusal& item) const {
    return {false, "refused: " + item.code, "it ran: " + std::string(name_of(record_.outcome)), "exact"};
  }

 private:
  static Ratio ratio(Duration time) { return {static_cast<UInt128>(time.count), 1}; }

  static void append(std::string& text, const std::string& part) { text += (text.empty() ? "" : ", ") + part; }

  /// Returns the phases with a level. Ramps and tails have no level that a file could name.
  std::vector<Phase> levels() const {
    std::vector<Phase> found;
    for (const Phase& phase : record_.phases.phases)
      if (phase.is_level()) found.push_back(phase);
    return found;
  }

  Ratio occupancy(const Phase& phase) const { return phase.occupancy_percent(record_.contexts_total); }

  bool is_near(Ratio found, const Decimal& expected) const {
    return is_within(found, expected, within_.points.value_or(Decimal{}));
  }

  bool is_near(Duration found, Duration expected) const {
    if (within_.percent) return is_within_percent(ratio(found), ratio(expected), *within_.percent);
    const Duration distance = found > expected ? found - expected : expected - found;
    return distance <= within_.time.value_or(Duration{});
  }

  bool is_near(SimTime found, SimTime expected) const { return is_near(since_start(found), since_start(expected)); }

  std::string points() const { return within_.points ? to_text(*within_.points) + " percentage points" : "exact"; }

  std::string any_time_tolerance() const {
    return within_.percent ? to_text(*within_.percent) + " %" : time_tolerance();
  }

  std::string time_tolerance() const { return within_.time ? to_text(*within_.time) : "exact"; }

  ExpectationResult occupancy_verdict(Ratio found, const Decimal& expected) const {
    // A number that differs only by rounding must not print like the expected one.
    const bool held = is_near(found, expected);
    const bool looks_alike = !held && compare(expected, *parse_decimal(percent_text(found)).value) == 0;
    return {held, to_text(expected) + " %", (looks_alike ? to_fixed(found, 12) : percent_text(found)) + " %", points()};
  }

  template <class Time>
  void compare_time(const std::string& name, const std::optional<Time>& expected, CompactOptional<Time> found,
                    ExpectationResult& verdict) const {
    if (!expected) return;
    verdict.passed = verdict.passed && found && is_near(*found, *expected);
    append(verdict.expected, name + " " + to_text(*expected));
    append(verdict.found, name + " " + (found ? to_text(*found) : "never"));
  }

  const Tolerance& within_;
  const Scenario& scenario_;
  const RunRecord& record_;
  const WorkGroupLog* work_groups_;
  const CoreTimeline* cores_;
};

/// Evaluates an expectation if the device refused the scenario: only an expected refusal can pass.
ExpectationResult evaluate_refusal(const Expectation& expectation, const Scenario& scenario) {
  const auto& refusals = scenario.refusals;
  std::string found = "refused:";
  for (const Diagnostic& refusal : refusals) found += " " + refusal.code;
  const auto* expected = std::get_if<ExpectedRefusal>(&expectation.item);
  if (expected == nullptr) return {false, "a run", found, "exact"};
  const bool held = std::any_of(refusals.begin(), refusals.end(),
                                [&](const Diagnostic& refusal) { return refusal.code == expected->code; });
  return {held, "refused: " + expected->code, found, "exact"};
}

}  // namespace

bool needs_work_groups(const std::vector<Expectation>& expectations) {
  return std::any_of(expectations.begin(), expectations.end(), [](const Expectation& expectation) {
    return std::holds_alternative<ExpectedPlacement>(expectation.item) ||
           std::holds_alternative<ExpectedShareOnCore>(expectation.item);
  });
}

bool needs_cores(const std::vector<Expectation>& expectations) {
  return std::any_of(expectations.begin(), expectations.end(), [](const Expectation& expectation) {
    return std::holds_alternative<ExpectedCores>(expectation.item);
  });
}

ExpectationResult evaluate_expectation(const Expectation& expectation, const Scenario& scenario,
                                       const RunData& evidence) {
  ExpectationResult verdict = evidence.record == nullptr
                                  ? evaluate_refusal(expectation, scenario)
                                  : std::visit(ItemEvaluator(expectation, scenario, evidence), expectation.item);
  if (expectation.status == ExpectationStatus::known_gap) {
    verdict.passed = !verdict.passed;
    if (!verdict.passed) verdict.found += " (it holds now: remove `status: known_gap`)";
    verdict.expected = "(known gap: must not hold) " + verdict.expected;
  }
  return verdict;
}

}  // namespace gdsim
