#include <gdsim/analysis/preemption_note.hpp>

#include <gdsim/base/counted.hpp>
#include <gdsim/base/printable.hpp>

#include <fmt/format.h>

#include <algorithm>

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

std::string lost_sentence(const RunRecord& record) {
  Duration saving, restoring;
  std::uint64_t saved = 0;
  Bytes bytes;
  for (const ProcessRecord& process : record.preemption->processes) {
    saving = saving + process.of(DeviceUse::saving);
    restoring = restoring + process.of(DeviceUse::restoring);
    saved += process.saved;
    bytes = bytes + process.bytes_saved + process.bytes_restored;
  }
  if (saved == 0) return {};
  const Duration lost = saving + restoring;
  const Duration all = record.duration();
  std::string text = fmt::format("Saved {} of work-groups in {}, restored in {}", counted(saved, "context"),
                                 to_rounded_text(saving), to_rounded_text(restoring));
  if (bytes.count > 0)
    text += fmt::format(", {} MB moved", to_fixed({static_cast<UInt128>(bytes.count), UInt128{1'000'000}}, 1));
  if (lost.count > 0 && all.count > 0)
    text += fmt::format(": {} % of the run is lost",
                        to_fixed({static_cast<UInt128>(lost.count) * 100, static_cast<UInt128>(all.count)}, 1));
  return text + ".";
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
  if (std::string lost = lost_sentence(record); !lost.empty()) notes.push_back(std::move(lost));
  return notes;
}

OptionalDuration suspended_of(const RunRecord& record, LaunchId launch) {
  const LaunchRecord& one = record.launches[index_of(launch)];
  if (!one.begun || !one.ended) return std::nullopt;
  const PreemptionRecord& preemption = *record.preemption;
  const auto first = std::lower_bound(preemption.spans.begin(), preemption.spans.end(), *one.begun,
                                      [](const DeviceSpan& span, SimTime begun) { return span.end <= begun; });
  Duration had;
  for (auto span = first; span != preemption.spans.end() && span->begin < *one.ended; ++span) {
    const bool runs = span->use == DeviceUse::running || span->use == DeviceUse::draining;
    if (!runs || span->process != preemption.process_of[index_of(launch)]) continue;
    had = had + (std::min(span->end, SimTime{*one.ended}) - std::max(span->begin, SimTime{*one.begun}));
  }
  return *one.ended - *one.begun - had;
}

}  // namespace gdsim
