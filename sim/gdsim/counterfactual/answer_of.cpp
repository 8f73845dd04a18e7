#include <gdsim/counterfactual/answer_of.hpp>

#include <gdsim/analysis/findings/findings.hpp>
#include <gdsim/base/diagnostic.hpp>
#include <gdsim/counterfactual/counterfactual.hpp>
#include <gdsim/points/run_point.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace gdsim {
namespace {

constexpr std::uint64_t kMaxWorkGroupsOfAnswer = 200'000;
constexpr std::uint64_t kMaxWorkGroupsOfAlternatives = 50'000;
/// The minimum part of the duration that is more than chance: a fiftieth.
constexpr std::int64_t kPartsOfChance = 50;
/// The part of the duration from which an assumption is the finding: a fifth.
constexpr std::int64_t kPartsOfAssumption = 5;

bool is_part(Duration difference, Duration whole, std::int64_t parts) {
  const Int128 count = difference.count < 0 ? -Int128{difference.count} : Int128{difference.count};
  return count * parts >= whole.count && count > 0;
}

/// Returns the duration of a changed scenario, or nullopt if it cannot run to its end.
std::optional<Duration> duration_of(const Scenario& scenario, const RunOptions& options) {
  RunOptions again;
  again.stop = options.stop;
  again.seed_offset = options.seed_offset;
  try {
    const RunRecord record = run_for_study(scenario, again, KeepAccounts::no).record;
    if (record.outcome == Outcome::completed) return record.duration();
  } catch (const InputError&) {  // the device refuses it
  }
  return std::nullopt;
}

bool is_confirmed(const Finding& finding, const Scenario& scenario, const RunRecord& record,
                  const RunOptions& options) {
  if (finding.lifted_by.empty()) return true;
  if (record.work_groups_total > kMaxWorkGroupsOfAnswer) return finding.kind != FindingKind::limiter;
  const auto changed = changed_scenario(scenario, record, finding.lifted_by);
  const auto duration = changed ? duration_of(*changed, options) : std::nullopt;
  return duration && *duration < record.duration() &&
         is_part(record.duration() - *duration, record.duration(), kPartsOfChance);
}

/// Returns false if the kernels do not use what the alternative changes.
bool may_matter(const DeviceAlternative& one, const Workload& workload) {
  const auto any = [&](auto&& holds) { return std::any_of(workload.kernels.begin(), workload.kernels.end(), holds); };
  if (one.key.starts_with("memory.")) return any([](const Kernel& kernel) { return uses_memory(kernel.program); });
  if (one.key.starts_with("slm.")) return any([](const Kernel& kernel) { return kernel.needs.slm.total.count > 0; });
  if (one.key == "barriers_per_core") return any([](const Kernel& kernel) { return has_barrier(kernel.program); });
  if (one.key.starts_with("hardware_queues.")) return workload.launches.size() > 1;
  return true;
}

/// Adds an alternative to the entry of its key, which is made if there is none.
void add_alternative(const DeviceAlternative& one, Duration duration, std::vector<RestsOn>& all) {
  const auto same = [&](const RestsOn& known) { return known.key == one.key; };
  auto entry = std::find_if(all.begin(), all.end(), same);
  if (entry == all.end()) entry = all.insert(all.end(), {one.key, one.value, {}});
  entry->alternatives.push_back({one.other, duration});
}

std::vector<RestsOn> rests_on(const Scenario& scenario, const RunRecord& record, const RunOptions& options) {
  std::vector<RestsOn> all;
  if (record.work_groups_total > kMaxWorkGroupsOfAlternatives) return all;
  for (const DeviceAlternative& one : scenario.device.alternatives) {
    if (!may_matter(one, scenario.workload)) continue;
    Scenario changed = scenario;
    changed.device = *one.device;
    changed.dispatch = one.device->dispatch;
    const auto duration = duration_of(changed, options);
    if (duration && is_part(*duration - record.duration(), record.duration(), kPartsOfChance))
      add_alternative(one, *duration, all);
  }
  return all;
}

/// Returns the finding that an assumption decides, if one does.
std::optional<Finding> assumption_finding(const std::vector<RestsOn>& all, Duration duration) {
  for (const RestsOn& one : all)
    for (const RestsOn::Alternative& other : one.alternatives) {
      if (!is_part(other.duration - duration, duration, kPartsOfAssumption)) continue;
      const Int128 difference = Int128{other.duration.count} - duration.count;
      const Ratio percent = percent_share(difference < 0 ? -difference : difference, duration.count);
      return Finding{
          FindingKind::assumption,
          fmt::format("the result depends on {}. The model's value, {}, is not certain: with {} the run "
                      "takes {} {} time. Check this value before you act on the result.",
                      one.key, one.value, other.value, share_words(percent), difference < 0 ? "less" : "more"),
          percent};
    }
  return std::nullopt;
}

/// Returns true if nothing that is assumed of the rest of the device matters more.
bool is_at_peak(const Finding& finding) {
  return finding.kind == FindingKind::roofline || finding.kind == FindingKind::links ||
         finding.kind == FindingKind::copies;
}

}  // namespace

Answer answer_of(const Scenario& scenario, const RunReport& report, const RunOptions& options,
                 Alternatives alternatives) {
  Answer answer;
  const RunRecord& record = report.record;
  const std::vector<Finding> findings = findings_of(report, speed_of_light(report));
  if (findings.empty()) return answer;
  if (alternatives == Alternatives::tried) answer.rests_on = rests_on(scenario, record, options);
  const auto assumed = answer.rests_on ? assumption_finding(*answer.rests_on, record.duration()) : std::nullopt;
  for (const Finding& finding : findings) {
    if (assumed && !is_at_peak(finding)) {
      answer.finding = *assumed;
      break;
    }
    if (!is_confirmed(finding, scenario, record, options)) continue;
    answer.finding = finding;
    break;
  }
  return answer;
}

}  // namespace gdsim
