#include <gdsim/analysis/findings/finding_links.hpp>

#include <gdsim/analysis/compared_launches.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace gdsim {
namespace {

/// Picoseconds in which one of the spans, by begin, has begun and not ended.
UInt128 time_of_links(const std::vector<LinkSpan>& spans) {
  std::vector<LaunchSpan> as_launches;
  for (const LinkSpan& span : spans) as_launches.push_back({0, span.begin, span.end});
  return time_of(as_launches);
}

/// Picoseconds in which a kernel that is not of a collective is resident, or a transfer goes over links.
UInt128 time_of_both(const RunReport& report, std::vector<LaunchSpan> spans) {
  for (const LinkSpan& span : report.links) spans.push_back({0, span.begin, span.end});
  std::sort(spans.begin(), spans.end(), [](const LaunchSpan& a, const LaunchSpan& b) { return a.begin < b.begin; });
  return time_of(spans);
}

}  // namespace

std::string links_finding(const RunReport& report) {
  const auto run = static_cast<UInt128>(report.record.duration().count);
  if (report.links.empty() || run == 0 || time_of_links(report.links) * 2 < run) return {};
  std::vector<LaunchSpan> kernels = launch_spans(report.workload, report.record);
  std::erase_if(kernels, [&](const LaunchSpan& span) {
    return report.workload.launches[span.launch].as_kernel().is_part_of_collective;
  });
  const UInt128 only_links = time_of_both(report, kernels) - time_of(kernels);
  if (only_links * 2 < run) return {};
  return fmt::format("Links: for {} % of the run, nothing happens here but copies and exchanges over links.",
                     to_fixed({only_links * 100, run}, 1));
}

}  // namespace gdsim
