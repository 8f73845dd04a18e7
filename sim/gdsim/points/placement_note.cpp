#include <gdsim/points/point_notes.hpp>

#include <gdsim/analysis/selected_launches.hpp>
#include <gdsim/analysis/words.hpp>
#include <gdsim/base/diagnostic.hpp>
#include <gdsim/base/text.hpp>
#include <gdsim/fit/limits.hpp>
#include <gdsim/occupancy/occupancy.hpp>
#include <gdsim/points/run_point.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace gdsim {
namespace {

constexpr std::uint64_t kMaxWorkGroups = 200'000;
constexpr std::uint64_t kMaxEventsOfNote = 1'000'000;
/// The minimum part of a difference that is reported: a fiftieth.
constexpr int kMinParts = 50;

/// Returns true if whole work-groups take every context of a core, so that none of them is ever placed in part.
bool fills_cores(const Kernel& kernel, const DeviceSpec& device) {
  const std::uint32_t contexts = kernel.needs.grf == GrfMode::large ? device.large_grf_contexts.value_or(1) : 1;
  return device.contexts_per_core() % (kernel.threads_per_work_group() * contexts) == 0 && kernel.range.is_uniform();
}

bool is_own_rule(const DispatchRules& rules, const DispatchRules& of_device) {
  return rules.admission == of_device.admission && rules.ports == of_device.ports &&
         rules.handover == of_device.handover;
}

/// `2 ports, each held by one until its last thread is placed; with a barrier or SLM it is handed to its Xe-core`
std::string rule_words(const DispatchRules& rules, const Terms& terms) {
  if (rules.admission == Admission::spread) return "threads of one on several " + terms.core + "s";
  if (!rules.ports) return "any number of ports";
  if (rules.handover == Handover::always) return "handed to its " + terms.core + " at once";
  std::string words =
      counted(*rules.ports, "port") + ", each held by one until its last " + terms.thread + " is placed";
  if (rules.handover == Handover::barrier_or_slm)
    words += "; with a barrier or " + terms.slm + " it is handed to its " + terms.core;
  return words;
}

bool differ(Int128 a, Int128 b, Int128 whole) {
  const Int128 difference = a > b ? a - b : b - a;
  return difference * kMinParts >= whole;
}

/// Converts to 1/10000 percent.
Int128 fine_percent(const Ratio& percent) {
  return static_cast<Int128>(percent.numerator * 10'000 / std::max<UInt128>(percent.denominator, 1));
}

std::string occupancy_words(const Scenario& scenario, const RunRecord& record) {
  const Kernel* kernel = longest_kernel(scenario.workload, record);
  if (kernel == nullptr) return {};
  return fmt::format(" `gdsim occupancy` counts whole {}s: {} %.", scenario.device.terms.work_group,
                     to_fixed(occupancy_of(*kernel, scenario.device, GlobalSize::given).percent, 1));
}

}  // namespace

bool may_place_in_part(const Scenario& scenario) {
  if (scenario.dispatch.admission == Admission::whole) return false;
  const auto& kernels = scenario.workload.kernels;
  return std::any_of(kernels.begin(), kernels.end(), [&](const Kernel& kernel) {
    return kernel.threads_per_work_group() > 1 && (kernels.size() > 1 || !fills_cores(kernel, scenario.device));
  });
}

bool is_placed_in_part(const Scenario& scenario) {
  if (!may_place_in_part(scenario)) return false;
  const auto& launches = scenario.workload.launches;
  return std::any_of(launches.begin(), launches.end(), [&](const Launch& launch) {
    if (!launch.is_kernel()) return false;
    const Kernel& kernel = scenario.workload.kernel_of(launch);
    return !fills_cores(kernel, scenario.device) &&
           kernel.range.group_count() > work_groups_per_wave(kernel, scenario.device);
  });
}

std::string placement_rule_note(const Scenario& scenario) {
  if (!is_placed_in_part(scenario)) return {};
  const Terms& terms = scenario.device.terms;
  std::string text =
      fmt::format("Placement of {}s in part ({}) ", terms.work_group, rule_words(scenario.dispatch, terms));
  if (!is_own_rule(scenario.dispatch, scenario.device.dispatch)) return text + "is the scenario's own rule";
  return text + "is a hypothesis of the model (its source: `gdsim devices " + printable(scenario.device.id) +
         "`); no measurement covers this case";
}

Scenario with_whole_work_groups(Scenario scenario) {
  scenario.dispatch.admission = Admission::whole;
  scenario.dispatch.ports.reset();
  return scenario;
}

std::optional<std::string> placement_note(const Scenario& scenario, const RunRecord& record, const RunRecord& whole) {
  if (!is_placed_in_part(scenario) || whole.outcome != Outcome::completed || !has_durations(scenario))
    return std::nullopt;
  const bool is_other = differ(whole.duration().count, record.duration().count, record.duration().count) ||
                        differ(fine_percent(whole.mean_occupancy()), fine_percent(record.mean_occupancy()), 1'000'000);
  if (!is_other) return std::nullopt;
  return fmt::format("{}. With whole {}s the run takes {} at a mean occupancy of {} %, instead of {} at {} %.{}",
                     placement_rule_note(scenario), scenario.device.terms.work_group, to_rounded_text(whole.duration()),
                     to_fixed(whole.mean_occupancy(), 1), to_rounded_text(record.duration()),
                     to_fixed(record.mean_occupancy(), 1), occupancy_words(scenario, record));
}

std::vector<std::string> placement_notes(const Scenario& scenario, const RunRecord& record, const RunOptions& options) {
  if (record.outcome != Outcome::completed || !is_placed_in_part(scenario)) return {};
  if (record.work_groups_total > kMaxWorkGroups)
    return {placement_rule_note(scenario) + ". With so many " + scenario.device.terms.work_group +
            "s it is not run again with whole ones; `--set dispatch.admission=whole` does."};
  RunOptions again;
  again.stop = options.stop;
  try {
    const RunRecord whole = run_for_study(with_whole_work_groups(scenario), again, KeepAccounts::no).record;
    const auto note = placement_note(scenario, record, whole);
    return note ? std::vector<std::string>{*note} : std::vector<std::string>{};
  } catch (const InputError&) {
    return {placement_rule_note(scenario) + "; with whole ones it cannot run."};
  }
}

std::vector<std::string> study_notes(const Scenario& scenario) {
  std::vector<std::string> notes;
  for (const Scenario& device_scenario : devices_of(scenario)) {
    std::vector<std::string> own = notes_of(device_scenario.device, device_scenario.workload);
    if (const std::string rule = placement_rule_note(device_scenario); !rule.empty())
      own.push_back(rule + "; `gdsim explain` says what whole " + device_scenario.device.terms.work_group + "s give.");
    for (std::string& note : own)
      if (std::find(notes.begin(), notes.end(), note) == notes.end()) notes.push_back(std::move(note));
  }
  return notes;
}

std::optional<std::string> placement_note_of_point(const Scenario& scenario, const StopToken& stop) {
  if (!is_placed_in_part(scenario) || !has_durations(scenario)) return std::nullopt;
  RunOptions options;
  options.bounds.events = kMaxEventsOfNote;
  options.stop = stop;
  try {
    const RunRecord record = run_for_study(scenario, options, KeepAccounts::no).record;
    if (record.outcome != Outcome::completed) return std::nullopt;
    const RunRecord whole = run_for_study(with_whole_work_groups(scenario), options, KeepAccounts::no).record;
    if (whole.outcome != Outcome::completed) return std::nullopt;
    return fmt::format(
        "Of the points that are placed in part, the first takes {} at a mean occupancy of {} %; with whole {}s {} at "
        "{} %.",
        to_rounded_text(record.duration()), to_fixed(record.mean_occupancy(), 1), scenario.device.terms.work_group,
        to_rounded_text(whole.duration()), to_fixed(whole.mean_occupancy(), 1));
  } catch (const InputError&) {
    return std::nullopt;
  }
}

}  // namespace gdsim
