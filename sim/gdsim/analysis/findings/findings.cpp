#include <gdsim/analysis/findings/findings.hpp>

#include <fmt/format.h>

#include <array>
#include <utility>

namespace gdsim {
namespace {

constexpr std::array<std::string_view, kFindingKindCount> kNames{
    "roofline", "imbalance", "tail", "recovery", "limiter", "latency", "barrier", "atomics",
    "dispatch", "placement", "host", "copies",   "links",   "small",   "empty",   "assumption"};

Finding unknown_finding(const RunReport& report) {
  return {FindingKind::empty,
          "no resource, wait or idle " + report.device.terms.core + " stands out. The steps of the " +
              report.device.terms.thread + "s take the time: make these steps shorter.",
          {}};
}

}  // namespace

std::string_view name_of(FindingKind kind) { return kNames[static_cast<std::size_t>(kind)]; }

std::string finding_line(const Finding& finding) {
  std::string word(name_of(finding.kind));
  word[0] = static_cast<char>(word[0] - 'a' + 'A');
  return word + ": " + finding.what;
}

std::string rests_on_line(const RestsOn& one, Duration duration) {
  std::string text =
      fmt::format("Rests on: {} is {} in the model, but this is an assumption or sources disagree", one.key, one.value);
  for (const RestsOn::Alternative& other : one.alternatives)
    text += fmt::format("{} {} the run takes {}", &other == &one.alternatives.front() ? ". With" : "; with",
                        other.value, to_rounded_text(other.duration));
  return text + " instead of " + to_rounded_text(duration) + ".";
}

std::vector<Finding> findings_of(const RunReport& report, const SpeedOfLight& speed) {
  if (report.record.outcome != Outcome::completed) return {};
  constexpr int half = 2, tenth = 10, twentieth = 20;
  std::vector<Finding> all;
  for (std::optional<Finding>& one :
       std::array{links_finding(report), roofline_finding(speed, report.device.terms), empty_device_finding(report),
                  small_finding(report), idle_finding(report, tenth), barrier_finding(report, half),
                  atomics_finding(report, speed), plateau_finding(report), limiter_finding(report),
                  wait_finding(report, speed, half), idle_finding(report, twentieth),
                  barrier_finding(report, twentieth), wait_finding(report, speed, twentieth)})
    if (one) all.push_back(std::move(*one));
  all.push_back(unknown_finding(report));
  return all;
}

Finding first_finding(const RunReport& report) {
  if (report.answer) return report.answer->finding;
  const std::vector<Finding> all = findings_of(report, speed_of_light(report));
  return all.empty() ? Finding{} : all.front();
}

}  // namespace gdsim
