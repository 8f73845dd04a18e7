#include <gdsim/analysis/notes/launch_notes.hpp>

#include <gdsim/analysis/speed/speed_of_light.hpp>
#include <gdsim/base/text.hpp>
#include <gdsim/device/device_rules.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace gdsim {
namespace {

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
  if (pending <= kPendingLaunchesOfCuda) return std::nullopt;
  return fmt::format(
      "{} launches from the device were pending at once. CUDA keeps {} by default "
      "(cudaLimitDevRuntimePendingLaunchCount); further ones fail, or take longer than here.",
      pending, kPendingLaunchesOfCuda);
}

namespace {

constexpr std::uint64_t kMostPercent = 98;

/// Returns true if some step counts multiply-adds themselves, not instructions that do them.
bool counts_multiply_adds(const Kernel& kernel) {
  bool found = false;
  for_each_step(kernel.program, [&](const Step& step) {
    const auto* issue = std::get_if<IssueSlots>(&step);
    found =
        found || (issue != nullptr && std::any_of(issue->by_kind.begin(), issue->by_kind.end(), [](const auto& one) {
                    return is_tensor_kind(one.kind) && !one.is_by_shape;
                  }));
  });
  return found;
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
