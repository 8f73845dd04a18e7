#include <gdsim/record/repetitions.hpp>

#include <algorithm>

namespace gdsim {
namespace {

struct Span {
  SimTime begin;
  SimTime end;
};

Span span_of(std::span<const ResidentTimeline> runs) {
  Span all{kEndOfTime, {0}};
  for (const ResidentTimeline& run : runs) {
    if (run.points.empty()) continue;
    all.begin = std::min(all.begin, run.points.front().time);
    all.end = std::max(all.end, run.end);
  }
  return all;
}

/// Returns one run's integral over each band. No threads are resident at the end of the run, unless it deadlocked.
std::vector<Int128> integrals_of(const ResidentTimeline& run, const std::vector<Band>& bands) {
  std::vector<Int128> integrals(bands.size(), 0);
  std::size_t band = 0;
  for (std::size_t i = 0; i < run.points.size(); ++i) {
    const SimTime end = i + 1 < run.points.size() ? run.points[i + 1].time : bands.back().end;
    for (SimTime from = run.points[i].time; from < end;) {
      while (bands[band].end <= from) ++band;
      const SimTime to = std::min(end, bands[band].end);
      integrals[band] += Int128{run.points[i].threads} * (to - from).count;
      from = to;
    }
  }
  return integrals;
}

}  // namespace

std::vector<Band> make_bands(std::span<const ResidentTimeline> runs, std::size_t count, Jobs jobs) {
  const auto [start, end] = span_of(runs);
  std::vector<Band> bands;
  if (end <= start) return bands;
  const std::int64_t whole = (end - start).count;
  const std::int64_t width = (whole + static_cast<std::int64_t>(count) - 1) / static_cast<std::int64_t>(count);
  for (SimTime from = start; from < end;) {
    const SimTime to = end - from > Duration{width} ? from + Duration{width} : end;
    bands.push_back({from, to, 0, {}});
    from = to;
  }
  std::vector<std::vector<Int128>> by_run(runs.size());
  parallel_for_in_order(
      runs.size(), jobs, [&](std::size_t run) { by_run[run] = integrals_of(runs[run], bands); },
      [](std::size_t) { return Proceed::yes; });
  std::vector<Int128> of_all(runs.size());
  for (std::size_t i = 0; i < bands.size(); ++i) {
    for (std::size_t run = 0; run < runs.size(); ++run) bands[i].sum += of_all[run] = by_run[run][i];
    std::sort(of_all.begin(), of_all.end());
    bands[i].resident_time = spread_of(of_all);
  }
  return bands;
}

}  // namespace gdsim
