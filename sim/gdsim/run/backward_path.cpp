#include <gdsim/run/backward_path.hpp>

#include <algorithm>
#include <iterator>

namespace gdsim {

BackwardPath::BackwardPath(const CompletedRun& run) : run_(run) {
  if (run.record.batched.empty()) return;
  places_.resize(run.launch_count());
  for (std::size_t place = 0; place < run.graph.host_order.size(); ++place)
    places_[index_of(run.graph.host_order[place])] = place;
}

std::optional<LaunchId> BackwardPath::from(LaunchId launch) const {
  const LaunchRecord& record = run_.record_of(launch);
  if (const JointEnd* end = run_.joint.of(launch); end != nullptr && end->joined > run_.joined_at(launch))
    return end->last;
  for (const Dependency& dependency : run_.graph.predecessors[index_of(launch)])
    if (freed_by(dependency, launch) == *record.ready) return dependency.before;
  if (const auto before = run_.graph.starts.before_of(launch);
      before && *run_.record_of(*before).begun == *record.ready)
    return before;
  if (*record.submitted + run_.device_of(launch).launch_latency != *record.ready) return std::nullopt;
  return along_the_host(launch);
}

SimTime BackwardPath::freed_by(const Dependency& dependency, LaunchId launch) const {
  return dependency.until == Until::triggered
             ? *run_.record.triggered[index_of(dependency.before)]
             : *run_.record_of(dependency.before).ended + run_.gap(dependency.before, launch);
}

std::optional<LaunchId> BackwardPath::along_the_host(LaunchId launch) const {
  for (std::optional<LaunchId> at = sent_by(launch); at;) {
    const SimTime begun = submission_of(*at) - run_.host_cost(*at);
    for (const LaunchId before : run_.launch_at(*at).host_waits)
      if (*run_.record_of(before).ended == begun) return before;
    at = run_.submitted_before(*at);
    if (at && submission_of(*at) != begun) return std::nullopt;
  }
  return std::nullopt;
}

LaunchId BackwardPath::sent_by(LaunchId launch) const {
  if (run_.record.batched.empty()) return launch;
  const std::vector<LaunchId>& order = run_.graph.host_order;
  const SimTime sent = *run_.record_of(launch).submitted;
  const auto is_sent_then = [&](LaunchId other) {
    return *run_.record_of(other).submitted == sent && run_.are_of_one_host(launch, other);
  };
  const auto place = order.begin() + static_cast<std::ptrdiff_t>(places_[index_of(launch)]);
  const LaunchId last = *std::prev(std::find_if_not(place, order.end(), is_sent_then));
  if (submission_of(last) == sent) return last;
  const auto behind = std::make_reverse_iterator(std::next(place));
  return *std::prev(std::find_if_not(behind, order.rend(), is_sent_then));
}

}  // namespace gdsim
