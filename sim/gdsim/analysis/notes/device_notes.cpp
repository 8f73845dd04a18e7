#include <gdsim/analysis/notes/device_notes.hpp>

#include <gdsim/base/quantity.hpp>
#include <gdsim/base/text.hpp>
#include <gdsim/device/capability.hpp>
#include <gdsim/device/clock_schedule.hpp>
#include <gdsim/device/core_blocks.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string_view>
#include <utility>

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
                                 to_rounded_text(process.of(DeviceUse::running)));
  if (process.of(DeviceUse::draining).count > 0)
    text += fmt::format(" plus {} to drain it", to_rounded_text(process.of(DeviceUse::draining)));
  text += fmt::format(", was preempted {} and waited {}.", counted(process.preemptions, "time"),
                      to_rounded_text(process.of(DeviceUse::waiting)));
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
  Switches all;
  for (const ProcessRecord& process : preemption.processes) {
    all.saving = all.saving + process.of(DeviceUse::saving);
    all.restoring = all.restoring + process.of(DeviceUse::restoring);
    all.saved += process.saved;
    all.bytes = all.bytes + process.bytes_saved + process.bytes_restored;
  }
  return all;
}

std::string words_for(const Switches& all, Duration run) {
  const auto share = [](std::int64_t part, std::int64_t whole) {
    return to_fixed({static_cast<UInt128>(part), static_cast<UInt128>(whole)}, 1);
  };
  std::string text = fmt::format("{} of work-groups saved in {} and restored in {}", counted(all.saved, "context"),
                                 to_rounded_text(all.saving), to_rounded_text(all.restoring));
  if (all.bytes.count > 0) text += fmt::format(", {} MB moved", share(all.bytes.count, 1'000'000));
  const Duration lost = all.saving + all.restoring;
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
  if (const Switches all = switches_of(*record.preemption); all.saved > 0)
    notes.push_back("Switches: " + words_for(all, record.duration()) + ".");
  return notes;
}

std::string lost_by_switches(const RunRecord& record) {
  if (!record.preemption) return {};
  const Switches all = switches_of(*record.preemption);
  return all.saving + all.restoring == Duration{} ? std::string() : words_for(all, record.duration());
}

OptionalDuration suspended_of(const RunRecord& record, LaunchId launch) {
  const LaunchRecord& one = record.launches[index_of(launch)];
  if (!one.begun || !one.ended) return std::nullopt;
  const PreemptionRecord& preemption = *record.preemption;
  const auto first = std::lower_bound(preemption.spans.begin(), preemption.spans.end(), *one.begun,
                                      [](const DeviceSpan& span, SimTime begun) { return span.end <= begun; });
  Duration suspended;
  for (auto span = first; span != preemption.spans.end() && span->begin < *one.ended; ++span) {
    const bool runs = span->use == DeviceUse::running || span->use == DeviceUse::draining;
    if (runs && span->process == preemption.process_of[index_of(launch)]) continue;
    suspended = suspended + (std::min(span->end, SimTime{*one.ended}) - std::max(span->begin, SimTime{*one.begun}));
  }
  return suspended;
}

}  // namespace gdsim
