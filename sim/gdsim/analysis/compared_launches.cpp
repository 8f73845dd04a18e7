#include <gdsim/analysis/compared_launches.hpp>

#include <algorithm>

namespace gdsim {
namespace {

/// Returns true if a launch begins before another has ended.
bool are_at_once(const std::vector<LaunchSpan>& spans) {
  SimTime end = spans.front().end;
  for (std::size_t i = 1; i < spans.size(); ++i) {
    if (spans[i].begin < end) return true;
    end = std::max(end, spans[i].end);
  }
  return false;
}

KernelId longest_of(const std::vector<LaunchSpan>& spans) {
  return std::max_element(spans.begin(), spans.end(),
                          [](const LaunchSpan& a, const LaunchSpan& b) { return a.end - a.begin < b.end - b.begin; })
      ->kernel;
}

}  // namespace

std::vector<LaunchSpan> launch_spans(const Workload& workload, const RunRecord& record) {
  std::vector<LaunchSpan> spans;
  for (std::size_t i = 0; i < workload.launches.size(); ++i) {
    const Launch& launch = workload.launches[i];
    const LaunchRecord& life = record.launches[i];
    if (!launch.is_kernel()) continue;
    if (!life.first_dispatched || !life.ended) return {};
    const bool may_use_all_cores = workload.cores_of(launch).empty();
    spans.push_back(
        {i, *life.first_dispatched, *life.ended, launch.as_kernel().kernel, life.resident_time, may_use_all_cores});
  }
  std::sort(spans.begin(), spans.end(), [](const LaunchSpan& a, const LaunchSpan& b) { return a.begin < b.begin; });
  return spans;
}

UInt128 time_of(const std::vector<LaunchSpan>& spans) {
  UInt128 time = 0;
  SimTime until = spans.empty() ? SimTime{} : spans.front().begin;
  for (const LaunchSpan& span : spans) {
    const SimTime begin = std::max(until, span.begin);
    until = std::max(until, span.end);
    time += static_cast<std::uint64_t>((until - begin).count);
  }
  return time;
}

ComparedLaunches compared_launches(const Workload& workload, const RunRecord& record) {
  ComparedLaunches compared{launch_spans(workload, record), {}};
  std::erase_if(compared.spans, [&](const LaunchSpan& span) {
    return workload.launches[span.launch].as_kernel().is_part_of_collective;
  });
  if (compared.spans.empty() || are_at_once(compared.spans)) return compared;
  compared.only = longest_of(compared.spans);
  std::erase_if(compared.spans, [&](const LaunchSpan& span) { return span.kernel != *compared.only; });
  return compared;
}

}  // namespace gdsim
