#include <gdsim/analysis/notes/preemption_note.hpp>

#include <gdsim/base/text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>

namespace gdsim {
namespace {

constexpr std::size_t kMaxProcessesNamed = 6;

std::string sentence_of(const ProcessRecord& process) {
  std::string text = fmt::format("Process {}: the device for {}", printable(process.name),
                                 to_rounded_text(process.of(DeviceUse::running)));
  if (process.of(DeviceUse::draining).count > 0)
    text += fmt::format(", {} more until it was drained", to_rounded_text(process.of(DeviceUse::draining)));
  text += fmt::format("; preempted {}; waited {}.", counted(process.preemptions, "time"),
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
    text += fmt::format(", {} % of the run", share(lost.count * 100, run.count));
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
