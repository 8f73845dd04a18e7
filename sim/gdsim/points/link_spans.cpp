#include <gdsim/points/link_spans.hpp>

#include <algorithm>
#include <optional>

namespace gdsim {
namespace {

/// Adds each copy to the device that sends it and to the device that receives it.
void add_copies(const Scenario& scenario, const RunRecord& all, std::vector<std::vector<LinkSpan>>& spans) {
  for (std::size_t device = 0; device < spans.size(); ++device) {
    const auto& launches = scenario.devices[device].workload.launches;
    for (std::size_t i = 0; i < all.launches.size(); ++i) {
      const LaunchRecord& record = all.launches[i];
      if (!launches[i].is_link_copy() || !record.first_dispatched || !record.ended) continue;
      const LinkSpan span{*record.first_dispatched, *record.ended};
      spans[device].push_back(span);
      spans[number_of(launches[i].as_copy().device)].push_back(span);
    }
  }
}

void add_collective(const Collective& one, const RunRecord& all, std::vector<std::vector<LinkSpan>>& spans) {
  std::optional<SimTime> joined;
  for (const LaunchId launch : one.launches) {
    const OptionalTime own = all.launches[index_of(launch)].fully_dispatched;
    if (!own) return;
    joined = std::max(joined.value_or(*own), *own);
  }
  for (std::size_t i = 0; i < one.launches.size(); ++i)
    if (const OptionalTime ended = all.launches[index_of(one.launches[i])].ended)
      spans[number_of(one.devices[i])].push_back({*joined, *ended});
}

}  // namespace

std::vector<std::vector<LinkSpan>> link_spans(const Scenario& scenario, const RunRecord& all) {
  std::vector<std::vector<LinkSpan>> spans(scenario.devices.size());
  add_copies(scenario, all, spans);
  for (const Collective& one : scenario.collectives) add_collective(one, all, spans);
  for (std::vector<LinkSpan>& own : spans)
    std::sort(own.begin(), own.end(), [](const LinkSpan& a, const LinkSpan& b) { return a.begin < b.begin; });
  return spans;
}

}  // namespace gdsim
