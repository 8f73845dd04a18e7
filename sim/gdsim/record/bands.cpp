#include <gdsim/record/bands.hpp>

#include <algorithm>
#include <limits>

namespace gdsim {
namespace {

struct Span {
  Picoseconds start;
  Picoseconds end;
};

Span span_of(std::span<const Timeline> runs) {
  Span all{{std::numeric_limits<std::int64_t>::max()}, {0}};
  for (const Timeline& run : runs) {
    if (run.empty()) continue;
    all.start = std::min(all.start, run.front().time);
    all.end = std::max(all.end, run.back().time);
  }
  return all;
}

/// Adds one run's integral to each stretch.
void add_run(const Timeline& run, const std::vector<Band>& bands, std::vector<std::vector<Int128>>& integrals) {
  std::vector<Int128> own(bands.size(), 0);
  std::size_t band = 0;
  for (std::size_t i = 0; i + 1 < run.size(); ++i) {
    Picoseconds from = run[i].time;
    while (from < run[i + 1].time) {
      while (bands[band].end <= from) ++band;
      const Picoseconds to = std::min(run[i + 1].time, bands[band].end);
      own[band] += Int128{run[i].counts.resident.threads} * (to - from).count;
      from = to;
    }
  }
  for (std::size_t i = 0; i < bands.size(); ++i) integrals[i].push_back(own[i]);
}

}  // namespace

std::vector<Band> make_bands(std::span<const Timeline> runs, std::size_t count) {
  const auto [start, end] = span_of(runs);
  std::vector<Band> bands;
  if (end <= start) return bands;
  const std::int64_t whole = (end - start).count;
  const std::int64_t width = (whole + static_cast<std::int64_t>(count) - 1) / static_cast<std::int64_t>(count);
  for (Picoseconds from = start; from < end;) {
    const Picoseconds to = end - from > Picoseconds{width} ? from + Picoseconds{width} : end;
    bands.push_back({from, to, 0, {}});
    from = to;
  }
  std::vector<std::vector<Int128>> integrals(bands.size());
  for (const Timeline& run : runs) add_run(run, bands, integrals);
  for (std::size_t i = 0; i < bands.size(); ++i) {
    std::sort(integrals[i].begin(), integrals[i].end());
    for (const Int128 integral : integrals[i]) bands[i].sum += integral;
    bands[i].resident_time = spread_of(integrals[i]);
  }
  return bands;
}

}  // namespace gdsim
