#include <gdsim/report/html/group_lives.hpp>

#include <algorithm>
#include <tuple>

namespace gdsim {

Histogram histogram_of(std::vector<Duration> durations) {
  Histogram histogram;
  if (durations.empty()) return histogram;
  std::sort(durations.begin(), durations.end());
  const auto rank = [&](std::size_t percent) { return durations[(durations.size() * percent + 99) / 100 - 1]; };
  histogram.count = durations.size();
  histogram.min = durations.front();
  histogram.median = rank(50);
  histogram.p95 = rank(95);
  histogram.max = durations.back();
  const auto width = static_cast<UInt128>((histogram.max - histogram.min).count);
  for (const Duration duration : durations) {
    histogram.sum += static_cast<UInt128>(duration.count);
    const auto above = static_cast<UInt128>((duration - histogram.min).count);
    const auto bin = width == 0 ? 0 : static_cast<std::size_t>(above * Histogram::kBins / width);
    ++histogram.bins[std::min(bin, Histogram::kBins - 1)];
  }
  return histogram;
}

std::vector<std::vector<GroupLife>> lives_by_core(const RunView& view) {
  std::vector<std::vector<GroupLife>> cores(view.cores);
  for (std::size_t launch = 0; launch < view.group_lives.size(); ++launch) {
    const auto& lives = view.group_lives[launch];
    for (std::size_t group = 0; group < lives.size(); ++group) {
      const WorkGroupRecord& life = lives[group];
      if (life.was_placed())
        cores[index_of(life.core)].push_back(
            {launch, group, life.first_placed, life.ended.value_or(view.record.end), life.ended.has_value()});
    }
  }
  for (std::vector<GroupLife>& lives : cores)
    std::sort(lives.begin(), lives.end(), [](const GroupLife& a, const GroupLife& b) {
      return std::tuple(a.begin, a.launch, a.group) < std::tuple(b.begin, b.launch, b.group);
    });
  return cores;
}

std::vector<Duration> replacement_gaps(const std::vector<std::vector<GroupLife>>& lives) {
  std::vector<Duration> gaps;
  std::vector<SimTime> ends;
  for (const std::vector<GroupLife>& core : lives) {
    ends.clear();
    for (const GroupLife& life : core)
      if (life.has_ended) ends.push_back(life.end);
    std::sort(ends.begin(), ends.end());
    std::size_t next = 0;
    for (const GroupLife& life : core)
      if (next < ends.size() && ends[next] <= life.begin) gaps.push_back(life.begin - ends[next++]);
  }
  return gaps;
}

}  // namespace gdsim
