#include <gdsim/analysis/notes/device_notes.hpp>

#include <gdsim/analysis/speed/speed_of_light.hpp>
#include <gdsim/base/quantity.hpp>
#include <gdsim/base/text.hpp>
#include <gdsim/device/clock_schedule.hpp>
#include <gdsim/device/core_blocks.hpp>
#include <gdsim/device/device_rules.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace gdsim {

std::optional<std::string> clocks_in_force(const DeviceSpec& device, const RunRecord& record) {
  constexpr std::size_t max_named = 4;
  const ClockSchedule clocks(device);
  const std::size_t last = clocks.number_before(record.end);
  if (last == 0) return std::nullopt;
  std::string text = to_text(clocks.clock(0));
  for (std::size_t i = 1; i <= last && i <= max_named; ++i)
    text += fmt::format(", {} from {} on", to_text(clocks.clock(i)), to_text(clocks.begin_of(i)));
  if (last > max_named) text += fmt::format(", and {} more", last - max_named);
  return text;
}

std::optional<std::string> power_note(const DeviceSpec& device, const RunRecord& record) {
  if (!device.power) return std::nullopt;
  const PowerRule& power = *device.power;
  const PowerRule::Level& lowest = power.levels.front();
  const auto most = static_cast<std::int64_t>(record.peak_resident) * lowest.per_busy_context.count + power.idle.count;
  if (most <= power.limit.count) return std::nullopt;
  return fmt::format(
      "The limit of `power`, {}, cannot be kept: with {} contexts held, the device takes {} under its lowest "
      "clock, {}.",
      to_text(power.limit), record.peak_resident, to_text(Power{most}), to_text(lowest.clock));
}

std::optional<std::string> clock_note(const DeviceSpec& device, const RunRecord& record) {
  const auto clocks = clocks_in_force(device, record);
  if (!clocks) return std::nullopt;
  const char* cause = device.power ? "The clock changes by the declared rule of `power`" : "The clock changes";
  return fmt::format("{}: {}. Cycles follow it; times and bandwidths do not.", cause, *clocks);
}

std::vector<std::string> notes_on_clocks(const DeviceSpec& device, const RunRecord& record) {
  std::vector<std::string> notes;
  if (auto note = clock_note(device, record)) notes.push_back(std::move(*note));
  if (auto note = power_note(device, record)) notes.push_back(std::move(*note));
  return notes;
}

namespace {

bool is_extrapolated(const DeviceSpec& device, std::string_view value) {
  const FigureSource* source = figure_source_of(device, value);
  return source != nullptr && source->is_extrapolated;
}

bool is_equal(const StepTime& a, const StepTime& b) { return a.unit == b.unit && compare(a.amount, b.amount) == 0; }

bool is_the_devices(const DispatchInterval& interval, const DispatchRules& of_device) {
  return of_device.interval && interval.dispatchers == of_device.interval->dispatchers &&
         is_equal(interval.per_work_group, of_device.interval->per_work_group) &&
         is_equal(interval.per_thread, of_device.interval->per_thread);
}

/// Work-groups whose interval is an extrapolated value, and how long each dispatcher is busy with its share of them.
struct Extrapolated {
  std::uint64_t work_groups = 0;
  Duration busy;
};

/// Returns nullopt if a time leaves 64 bits.
std::optional<Extrapolated> extrapolated_of(const DeviceSpec& device, const DispatchInterval& interval,
                                            const Workload& workload, const RunRecord& record) {
  const auto one = Decimal::whole(1);
  const auto dispatchers = core_blocks(device, interval.dispatchers);
  Extrapolated sum;
  for (std::size_t i = 0; i < workload.launches.size(); ++i) {  // without children, which follow in the record
    const std::uint64_t groups = record.launches[i].work_groups_dispatched;
    if (groups == 0) continue;
    const std::uint64_t threads = groups * workload.kernel_of(workload.launches[i]).threads_per_work_group();
    const auto by_group = resolve_up(interval.per_work_group, groups, *device.clock, one, one);
    const auto by_thread = resolve_up(interval.per_thread, threads, *device.clock, one, one);
    if (!by_group || !by_thread) return std::nullopt;
    const bool is_by_thread = by_group->count < by_thread->count;
    if (!is_extrapolated(device, is_by_thread ? "dispatch.interval.per_thread" : "dispatch.interval.per_work_group"))
      continue;
    sum.work_groups += groups;
    sum.busy.count +=
        std::max(by_group->count, by_thread->count) / static_cast<std::int64_t>(dispatchers ? dispatchers->size() : 1);
  }
  return sum;
}

}  // namespace

std::optional<std::string> interval_note(const DeviceSpec& device, const DispatchRules& rules, const Workload& workload,
                                         const RunRecord& record) {
  if (!rules.interval || rules.interval->is_instant() || !device.clock) return std::nullopt;
  if (ClockSchedule(device).number_before(record.end) > 0)
    return std::nullopt;  // one interval is not as long as another
  if (!is_the_devices(*rules.interval, device.dispatch)) return std::nullopt;
  const auto found = extrapolated_of(device, *rules.interval, workload, record);
  if (!found || found->work_groups == 0 || found->busy.count < record.active().count - found->busy.count)
    return std::nullopt;
  return fmt::format(
      "Dispatch limits the run: {0}s start one after the other{1}, which takes {3} of {4} for {2} {0}s. The dispatch "
      "interval of {5} is extrapolated, not measured; `gdsim devices {6}` prints its source.",
      device.terms.work_group,
      rules.interval->dispatchers == "device" ? "" : " in each " + printable(rules.interval->dispatchers),
      found->work_groups, to_rounded_text(found->busy), to_rounded_text(record.active()), printable(device.id),
      printable(device.id));
}

namespace {

constexpr std::size_t kMaxProcessesNamed = 6;

std::string sentence_of(const ProcessRecord& process) {
  std::string text = fmt::format("Process {} used the device for {}", printable(process.name),
                                 to_rounded_text(process.spent_on(DeviceUse::running)));
  if (process.spent_on(DeviceUse::draining).count > 0)
    text += fmt::format(" plus {} to drain it", to_rounded_text(process.spent_on(DeviceUse::draining)));
  text += fmt::format(", was preempted {} and waited {}.", counted(process.preemptions, "time"),
                      to_rounded_text(process.spent_on(DeviceUse::waiting)));
  return text;
}

/// Sums over all processes.
struct Switches {
  Duration saving;
  Duration restoring;
  std::uint64_t saved = 0;  ///< work-groups
  Bytes bytes;
};

Switches switches_of(const PreemptionRecord& preemption) {
  Switches sum;
  for (const ProcessRecord& process : preemption.processes) {
    sum.saving = sum.saving + process.spent_on(DeviceUse::saving);
    sum.restoring = sum.restoring + process.spent_on(DeviceUse::restoring);
    sum.saved += process.saved;
    sum.bytes = sum.bytes + process.bytes_saved + process.bytes_restored;
  }
  return sum;
}

std::string words_for(const Switches& switches, Duration run) {
  const auto share = [](std::int64_t part, std::int64_t whole) {
    return to_fixed({static_cast<UInt128>(part), static_cast<UInt128>(whole)}, 1);
  };
  std::string text = fmt::format("{} of work-groups saved in {} and restored in {}", counted(switches.saved, "context"),
                                 to_rounded_text(switches.saving), to_rounded_text(switches.restoring));
  if (switches.bytes.count > 0) text += fmt::format(", {} MB moved", share(switches.bytes.count, 1'000'000));
  const Duration lost = switches.saving + switches.restoring;
  if (lost.count > 0 && run.count > 0 && lost <= Duration{std::numeric_limits<std::int64_t>::max() / 100})
    text += fmt::format("; both take {} % of the run", share(lost.count * 100, run.count));
  return text;
}

}  // namespace

std::vector<std::string> preemption_notes(const RunRecord& record) {
  std::vector<std::string> notes;
  if (!record.preemption) return notes;
  const auto& processes = record.preemption->processes;
  for (std::size_t i = 0; i < processes.size() && i < kMaxProcessesNamed; ++i)
    notes.push_back(sentence_of(processes[i]));
  if (processes.size() > kMaxProcessesNamed)
    notes.push_back(fmt::format("{} more processes had the device in turn.", processes.size() - kMaxProcessesNamed));
  for (const std::string& key : record.preemption->unused_keys)
    notes.push_back(fmt::format("`preemption: {{{}: ...}}` changes nothing: {}.", key,
                                key == "quantum" ? "a higher priority preempts at once"
                                                 : "with `of: work_group`, what runs is not saved but ends"));
  if (const Switches switches = switches_of(*record.preemption); switches.saved > 0)
    notes.push_back("Switches: " + words_for(switches, record.duration()) + ".");
  return notes;
}

std::string lost_by_switches(const RunRecord& record) {
  if (!record.preemption) return {};
  const Switches switches = switches_of(*record.preemption);
  return switches.saving + switches.restoring == Duration{} ? std::string() : words_for(switches, record.duration());
}

OptionalDuration suspended_of(const RunRecord& record, LaunchId launch) {
  const LaunchRecord& launch_record = record.launches[index_of(launch)];
  if (!launch_record.begun || !launch_record.ended) return std::nullopt;
  const PreemptionRecord& preemption = *record.preemption;
  const auto first = std::lower_bound(preemption.spans.begin(), preemption.spans.end(), *launch_record.begun,
                                      [](const DeviceSpan& span, SimTime begun) { return span.end <= begun; });
  Duration suspended;
  for (auto span = first; span != preemption.spans.end() && span->begin < *launch_record.ended; ++span) {
    const bool runs = span->use == DeviceUse::running || span->use == DeviceUse::draining;
    if (runs && span->process == preemption.process_of[index_of(launch)]) continue;
    suspended = suspended + (std::min(span->end, SimTime{*launch_record.ended}) -
                             std::max(span->begin, SimTime{*launch_record.begun}));
  }
  return suspended;
}

namespace {

/// Returns the largest number of kernels that one launch launched.
std::uint64_t most_launched_by_one(const Workload& workload, const RunRecord& record) {
  std::map<LaunchId, std::uint64_t> launched;
  std::uint64_t most = 0;
  for (std::size_t i = 0; i < workload.launches.size() && i < record.launches.size(); ++i)
    if (const LaunchParent* parent = workload.launches[i].parent(); parent != nullptr && record.launches[i].submitted)
      most = std::max(most, ++launched[parent->launch]);
  return most;
}

/// Returns the maximum number of children that were launched and had not begun, at once.
std::uint64_t most_pending(const Workload& workload, const RunRecord& record) {
  std::vector<std::pair<SimTime, int>> changes;  // at one time, launches begin before others are added
  for (std::size_t i = 0; i < workload.launches.size() && i < record.launches.size(); ++i) {
    const LaunchRecord& launch = record.launches[i];
    if (workload.launches[i].parent() == nullptr || !launch.submitted) continue;
    const auto begun = launch.begun ? launch.begun : launch.first_dispatched;
    if (begun == launch.submitted) continue;
    changes.emplace_back(*launch.submitted, 1);
    if (begun) changes.emplace_back(*begun, -1);
  }
  std::sort(changes.begin(), changes.end());
  std::int64_t most = 0;
  std::int64_t now = 0;
  for (const auto& [time, change] : changes) most = std::max(most, now += change);
  return static_cast<std::uint64_t>(most);
}

}  // namespace

std::optional<std::string> slm_pool_note(const DeviceSpec& device, const Workload& workload, const RunRecord& record) {
  std::optional<std::size_t> longest;
  const auto waited = [&](std::size_t i) { return record.launches[i].waited[WaitReason::slm_pool]; };
  for (std::size_t i = 0; i < workload.launches.size() && i < record.launches.size(); ++i)
    if (waited(i).count > 0 && (!longest || waited(i) > waited(*longest))) longest = i;
  if (!longest) return std::nullopt;
  return fmt::format(
      "{} waited {} for {}s to drain: {}s must be empty before their {} can change size "
      "(`slm_reconfiguration: drains_core`). Kernels with the same `carveout_percent` can share {}s.",
      printable(workload.launches[*longest].name), to_rounded_text(waited(*longest)), device.terms.core,
      device.terms.core, device.terms.slm, device.terms.core);
}

std::optional<std::string> pending_launches_note(const DeviceSpec& device, const Workload& workload,
                                                 const RunRecord& record) {
  if (device.vendor != "nvidia") return std::nullopt;
  const std::uint64_t pending = most_pending(workload, record);
  const std::uint64_t launched = most_launched_by_one(workload, record);
  if (std::max(pending, launched) <= kPendingLaunchesOfCuda) return std::nullopt;
  const std::string limit = fmt::format(
      "CUDA keeps {} waiting launches by default (cudaLimitDevRuntimePendingLaunchCount); further ones fail, or take "
      "longer than here.",
      kPendingLaunchesOfCuda);
  if (pending > kPendingLaunchesOfCuda)
    return fmt::format("{} launches from the device waited at once. {}", pending, limit);
  return fmt::format(
      "One launch launched {} kernels, at most {} of which waited at once, because a child goes before further {}s of "
      "its parent here (ASSUMED). {}",
      launched, pending, device.terms.work_group, limit);
}

namespace {

constexpr std::uint64_t kMostPercent = 98;

/// Returns true if some step counts multiply-adds themselves, not instructions that do them.
bool counts_multiply_adds(const Kernel& kernel) {
  return has_step_where<IssueSlots>(kernel.program, [](const IssueSlots& issue) {
    return std::any_of(issue.by_kind.begin(), issue.by_kind.end(),
                       [](const auto& count) { return is_tensor_kind(count.kind) && !count.is_by_shape; });
  });
}

/// Returns the percentage of the peak of the tensor kind that is nearest to it.
std::optional<Ratio> tensor_percent(const SpeedOfLight& speed) {
  std::optional<Ratio> most;
  for (const ResourceUse& pipe : speed.pipes)
    if (is_tensor_kind(pipe.name) && pipe.percent &&
        (!most || most->numerator * pipe.percent->denominator < pipe.percent->numerator * most->denominator))
      most = pipe.percent;
  return most;
}

/// Returns the same of the cores that hold work-groups of the kernel.
Ratio on_its_cores(Ratio percent, const RunReport& report, std::size_t kernel) {
  Int128 held = 0;
  Int128 all = 0;
  for (std::size_t i = 0; i < report.workload.launches.size(); ++i) {
    const Launch& launch = report.workload.launches[i];
    const OptionalDuration active = report.record.launches[i].active();
    if (!launch.is_kernel() || index_of(launch.as_kernel().kernel) != kernel || !active) continue;
    held += report.record.launches[i].core_time;
    all += Int128{report.device.cores} * active->count;
  }
  if (held <= 0 || all <= 0) return percent;
  constexpr std::uint64_t exact = 1'000'000;  // keeps the product within 128 bits
  const auto share = static_cast<UInt128>(held) * exact / static_cast<UInt128>(all);
  const auto millionths = percent.numerator * exact / percent.denominator;
  return share == 0 ? percent : Ratio{millionths, share};
}

}  // namespace

std::vector<std::string> tensor_notes(const RunReport& report) {
  std::vector<std::string> notes;
  const std::vector<Kernel>& kernels = report.workload.kernels;
  if (std::none_of(kernels.begin(), kernels.end(), counts_multiply_adds)) return notes;
  const std::vector<SpeedOfLight> speeds = speed_of_kernels(report);
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    const auto of_device = tensor_percent(speeds[i]);
    if (!of_device || !counts_multiply_adds(kernels[i])) continue;
    const Ratio percent = on_its_cores(*of_device, report, i);
    const bool is_little = percent.numerator * kernels[i].sub_group <= percent.denominator * 100;
    if (!is_little && percent.numerator < percent.denominator * kMostPercent) continue;
    notes.push_back(fmt::format(
        "{} keeps the tensor pipes of its {}s {} % busy. A `tensor_` amount counts the multiply-adds of all {} lanes "
        "of a {} together. {}. You can also count instructions, as in `issue: {{mma: m16n8k16 bf16, count: 64}}`.",
        printable(kernels[i].name), report.device.terms.core, to_fixed(percent, 1), kernels[i].sub_group,
        report.device.terms.thread,
        is_little ? fmt::format("If you wrote the amount for one lane, multiply it by {}", kernels[i].sub_group)
                  : fmt::format("If you multiplied the amount by the lanes once too often, divide it by {}",
                                kernels[i].sub_group)));
  }
  return notes;
}

void CaseNotes::add(const std::string& name, const std::vector<std::string>& notes,
                    const std::vector<std::string>& named) {
  ++cases_;
  for (const std::string& text : notes) {
    auto found = std::find_if(notes_.begin(), notes_.end(), [&](const Note& note) { return note.text == text; });
    if (found == notes_.end()) {
      const bool is_named = std::find(named.begin(), named.end(), text) != named.end();
      found = notes_.insert(notes_.end(), Note{text, is_named, {}});
    }
    if (found->names.empty() || found->names.back() != name) found->names.push_back(name);
  }
}

std::vector<std::string> CaseNotes::texts() const {
  constexpr std::size_t max_named = 4;
  std::vector<std::string> texts;
  for (const Note& note : notes_) {
    std::string names;
    for (std::size_t i = 0; i < note.names.size() && i < max_named; ++i)
      names += (names.empty() ? "" : ", ") + note.names[i];
    if (note.names.size() > max_named) names += " and " + std::to_string(note.names.size() - max_named) + " more";
    const bool is_of_some = note.is_named && note.names.size() < cases_;
    texts.push_back(is_of_some ? names + ": " + note.text : note.text);
  }
  return texts;
}

}  // namespace gdsim
