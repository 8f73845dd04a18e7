#include "inference/phase_arguments.hpp"

#include "options/shared_options.hpp"

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/base/text.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace gdsim::cli {
namespace {

/// Reads --phases like `expect: [{phases: [...], within: ...}]`. Returns nullopt without --phases.
std::optional<Expectation> phases_of(const Options& options) {
  const auto list = options.value("phases");
  if (!list && options.has("within")) throw UsageError("--within says how far --phases may be off; name both");
  if (!list) return std::nullopt;
  ExpectedPhases phases;
  for (std::size_t begin = 0; begin <= list->size();) {
    const std::size_t end = std::min(list->find(',', begin), list->size());
    const std::string cell = list->substr(begin, end - begin);
    begin = end + 1;
    const Parsed<Decimal> number = parse_decimal(cell);
    if (!number.value || compare(*number.value, Decimal::whole(100)) > 0)
      throw UsageError("--phases: " + in_quotes(cell) + " is no percentage from 0 to 100; write it as in 45.3,39.3");
    phases.percent.push_back(*number.value);
  }
  Expectation expectation;
  expectation.key = "phases";
  expectation.item = std::move(phases);
  if (const auto within = options.value("within")) {
    const Parsed<Decimal> points = parse_decimal(*within);
    if (!points.value) throw UsageError("--within: " + in_quotes(*within) + " " + points.problem);
    expectation.within.points = *points.value;
  }
  return expectation;
}

std::vector<Expectation> own_phases(const Scenario& scenario) {
  std::vector<Expectation> phases;
  for (const Expectation& one : scenario.expectations)
    if (std::holds_alternative<ExpectedPhases>(one.item) && one.status == ExpectationStatus::must_hold)
      phases.push_back(one);
  return phases;
}

}  // namespace

PhaseArguments::PhaseArguments(const Options& options, SourceFiles& sources) {
  const std::optional<Expectation> given = phases_of(options);
  const ReadOptions read_options = scenario_options(options);
  Diagnostics problems;
  for (const std::string& file : options.arguments()) {
    bool has_phases = false;
    for (ScenarioCase& one : read_cases(file, read_options, sources)) {
      const ScenarioCase& kept = cases_.emplace_back(std::move(one));
      std::vector<Expectation> phases = given ? std::vector{*given} : own_phases(kept.scenario);
      if (phases.empty() || !kept.scenario.refusals.empty()) continue;
      has_phases = true;
      targets_.push_back({kept.scenario.title + (kept.name.empty() ? "" : " " + kept.name), &kept.scenario, phases});
    }
    if (!has_phases)
      problems.add({}, printable(file) +
                           ": expects no series; write `expect: [{phases: [45.3, 39.3], within: 0.1}]`, or name one "
                           "with --phases 45.3,39.3");
  }
  problems.throw_if_any();
  if (given && targets_.size() > 1)
    throw UsageError("--phases is the series of one scenario and case; name one with --case");
}

}  // namespace gdsim::cli
