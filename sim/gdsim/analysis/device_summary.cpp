#include <gdsim/analysis/device_summary.hpp>

#include <gdsim/analysis/selected_launches.hpp>
#include <gdsim/base/text.hpp>
#include <gdsim/fit/limits.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace gdsim {

std::string sent_words(UInt128 bytes) {
  if (bytes == 0) return "-";
  UInt128 unit = 1;
  std::size_t power = 0;
  constexpr std::array<std::string_view, 6> names{"B", "KB", "MB", "GB", "TB", "PB"};
  for (; power + 1 < names.size() && bytes >= unit * 1'000; ++power) unit *= 1'000;
  return fmt::format("{} {}", to_fixed({bytes, unit}, power == 0 ? 0 : 2), names[power]);
}

std::string device_table_text(std::span<const DeviceSummary> devices) {
  std::size_t width = 6;
  for (const DeviceSummary& device : devices) width = std::max(width, printable(device.name).size());
  std::string text =
      fmt::format("{:<{}}  {:>8}  {:>12}  {:>14}  {:>17}  {:>12}  {:>12}  {:>12}  {}\n", "device", width, "launches",
                  "busy", "mean occupancy", "waits for others", "links busy", "sent", "of its rate", "finding");
  for (const DeviceSummary& device : devices)
    text +=
        fmt::format("{:<{}}  {:>8}  {:>12}  {:>14}  {:>17}  {:>12}  {:>12}  {:>12}  {}\n", printable(device.name),
                    width, device.launches, to_rounded_text(device.busy), to_fixed(device.mean_occupancy, 1) + " %",
                    to_rounded_text(device.waited_for_others), to_rounded_text(device.links_busy),
                    sent_words(device.bytes_sent), device.sent_percent ? to_fixed(*device.sent_percent, 1) + " %" : "-",
                    device.finding.empty() ? "-" : device.finding);
  return text;
}

namespace {

/// Returns the known maximum of the kernel's resident threads: the run's peak if it launches no other kernel, else 0.
std::uint64_t peak_of(KernelId kernel, const Workload& workload, const RunRecord& record) {
  const bool is_only_kernel =
      std::all_of(workload.launches.begin(), workload.launches.end(),
                  [&](const Launch& launch) { return !launch.is_kernel() || launch.as_kernel().kernel == kernel; });
  return is_only_kernel ? record.peak_resident : 0;
}

/// Returns the time that is available to `threads` threads during `duration`, and the part of it that is not `busy`; 0
/// if more is busy.
UnusedTime unused_time(UInt128 threads, Duration duration, Int128 busy) {
  UnusedTime time;
  time.available = threads * static_cast<std::uint64_t>(std::max<std::int64_t>(duration.count, 0));
  time.unused = time.available - std::min(time.available, static_cast<UInt128>(busy));
  return time;
}

void add(UnusedTime& sum, const UnusedTime& more) {
  sum.unused += more.unused;
  sum.available += more.available;
}

}  // namespace

std::optional<Unused> unused_of(const DeviceSpec& device, const Workload& workload, const RunRecord& record) {
  if (record.outcome != Outcome::completed) return std::nullopt;
  const ComparedLaunches compared = compared_launches(workload, record);
  if (compared.spans.empty() || !compared.only_kernel) return std::nullopt;
  const Kernel& kernel = workload.kernels[index_of(*compared.only_kernel)];
  const std::uint64_t per_wave = work_groups_per_wave(kernel, device);
  if (per_wave == 0 || has_step<LaunchChild>(kernel.program)) return std::nullopt;
  const UInt128 fit = std::max(UInt128{per_wave} * kernel.threads_per_work_group(),
                               UInt128{peak_of(*compared.only_kernel, workload, record)});
  Unused unused{*compared.only_kernel, kernel.range.group_count() >= per_wave, {}, {}};
  for (const LaunchSpan& span : compared.spans) {
    if (!span.may_use_all_cores) return std::nullopt;
    const LaunchRecord& life = record.launches[span.launch];
    // With partially placed work-groups, more threads were resident than fit in whole ones. Their number is known only
    // from a run of this kernel alone.
    const auto time = static_cast<std::uint64_t>((span.end - span.begin).count);
    if (static_cast<UInt128>(life.resident_time) > fit * time) return std::nullopt;
    add(unused.run, unused_time(fit, span.end - span.begin, life.resident_time));
    add(unused.last_wave, unused_time(fit, span.end - life.fully_dispatched.value_or(span.end),
                                      life.resident_time - life.resident_time_when_dispatched));
  }
  return unused;
}

std::string unused_line(const std::optional<Unused>& unused, const Terms& terms) {
  if (!unused || !unused->has_wave) return {};
  return fmt::format(
      "Unused: of the {}s that the kernel can fill, {} % are empty on average, and {} % after its last {} has begun.",
      terms.context, to_fixed(unused->run.percent(), 1), to_fixed(unused->last_wave.percent(), 1), terms.work_group);
}

}  // namespace gdsim
