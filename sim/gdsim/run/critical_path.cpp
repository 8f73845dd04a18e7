#include <gdsim/run/critical_path.hpp>

#include <gdsim/base/check.hpp>
#include <gdsim/workload/launch_order.hpp>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include <tuple>

namespace gdsim {

JointEnds::JointEnds(const RunRecord& record, std::span<const std::vector<LaunchId>> groups) {
  if (groups.empty()) return;
  numbers_.resize(record.launches.size(), kAlone);
  for (const std::vector<LaunchId>& group : groups) {
    JointEnd end{group, group.front(), joined_at(record, group.front()),
                 *record.launches[index_of(group.front())].ended};
    for (const LaunchId launch : group) {
      numbers_[index_of(launch)] = static_cast<std::uint32_t>(ends_.size());
      end.ended = std::min(end.ended, *record.launches[index_of(launch)].ended);
      if (joined_at(record, launch) <= end.joined) continue;
      end.last = launch;
      end.joined = joined_at(record, launch);
    }
    ends_.push_back(std::move(end));
  }
}

std::vector<Milestone> JointEnds::order(const std::vector<Milestone>& milestones, const RunRecord& record) const {
  struct Place {
    SimTime time;
    std::size_t lead = 0;  ///< of the first of those that stand together
    std::size_t index = 0;
  };
  std::vector<std::size_t> first_of_group(ends_.size(), milestones.size());
  std::vector<Place> places(milestones.size());
  for (std::size_t i = 0; i < milestones.size(); ++i) {
    const LaunchId launch = milestones[i].launch;
    const LaunchRecord& launch_record = record.launches[index_of(launch)];
    switch (milestones[i].event) {
      case Milestone::Event::submitted:
        places[i] = {launch_record.submitted.value_or(*launch_record.ready), i, i};
        break;
      case Milestone::Event::begun: places[i] = {launch_record.begun.value_or(*launch_record.ready), i, i}; break;
      case Milestone::Event::ended:
        places[i] = {*launch_record.ended, i, i};
        if (const std::uint32_t group = number_of(launch); group != kAlone) {
          first_of_group[group] = std::min(first_of_group[group], i);
          places[i] = {ends_[group].ended, first_of_group[group], i};
        }
        break;
    }
  }
  std::sort(places.begin(), places.end(), [](const Place& a, const Place& b) {
    return std::tie(a.time, a.lead, a.index) < std::tie(b.time, b.lead, b.index);
  });
  std::vector<Milestone> ordered;
  ordered.reserve(milestones.size());
  for (const Place& place : places) ordered.push_back(milestones[place.index]);
  return ordered;
}

namespace {

/// By launch: its host; empty if there is only one. Each process that is preempted has a host.
std::span<const std::uint32_t> hosts_of(const RunRecord& record) {
  if (!record.preemption) return {};
  return record.preemption->process_of;
}

}  // namespace

CompletedRun::CompletedRun(const DeviceSpec& device, const Workload& workload, const LaunchGraph& launch_graph,
                           const RunRecord& run_record, const LaunchesOfDevices& devices)
    : graph(launch_graph),
      record(run_record),
      joint(run_record, devices.together),
      device_(device),
      workload_(workload),
      devices_(devices),
      hosts_(hosts_of(run_record)),
      submitted_before_(predecessors_on_host()),
      host_costs_(device, workload, launch_graph, hosts_) {}

std::vector<std::optional<LaunchId>> CompletedRun::predecessors_on_host() const {
  std::vector<std::optional<LaunchId>> before(launch_count());
  std::optional<LaunchId> last;
  for (const LaunchId id : graph.host_order) {
    if (last && are_of_one_host(*last, id)) before[index_of(id)] = last;
    last = id;
  }
  return before;
}

BackwardPath::BackwardPath(const CompletedRun& run) : run_(run) {
  if (run.record.batched.empty()) return;
  places_.resize(run.launch_count());
  for (std::size_t place = 0; place < run.graph.host_order.size(); ++place)
    places_[index_of(run.graph.host_order[place])] = place;
}

std::optional<LaunchId> BackwardPath::launch_before(LaunchId launch) const {
  const LaunchRecord& record = run_.record_of(launch);
  if (const JointEnd* end = run_.joint.end_of(launch); end != nullptr && end->joined > run_.joined_at(launch))
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

namespace {

void lower(SimTime& time, SimTime to) { time = std::min(time, to); }

}  // namespace

LatestTimes::LatestTimes(const CompletedRun& run)
    : run_(run),
      submitted_(run.launch_count(), run.record.end),
      ended_(run.launch_count(), run.record.end),
      have_begins_(Milestones(run.graph).have_begins()) {
  if (have_begins_) ready_.resize(run.launch_count(), run.record.end);
  propagate(run.joint.all().empty() ? run.graph.order : run.joint.order(run.graph.order, run.record));
  for (const JointEnd& end : run.joint.all())
    for (const LaunchId id : end.launches)
      GDSIM_CHECK(spare_of_end(id) == spare_of_end(end.last), "launches that end together have one latest end");
}

Duration LatestTimes::slack_of(LaunchId launch) const {
  const std::size_t i = index_of(launch);
  const LaunchRecord& record = run_.record_of(launch);
  const Duration slack = ended_[i] - *record.ended + spare_of(launch);
  // Where another launch starts after its begin or waits for its trigger, its begin may matter more than its end.
  const bool is_child = run_.launch_at(launch).parent() != nullptr;
  return have_begins_ && !is_child ? std::min(slack, ready_[i] - *record.ready) : slack;
}

void LatestTimes::propagate(const std::vector<Milestone>& order) {
  std::uint32_t last = JointEnds::kAlone;
  std::vector<bool> are_joined(run_.joint.all().size(), false);
  for (auto milestone = order.rbegin(); milestone != order.rend(); ++milestone) {
    switch (milestone->event) {
      case Milestone::Event::ended:
        if (const std::uint32_t number = run_.joint.number_of(milestone->launch); number != last) {
          join(number, are_joined);
          last = number;
        }
        propagate_from_end(milestone->launch);
        break;
      case Milestone::Event::begun:
        propagate_from_readiness(milestone->launch, ready_[index_of(milestone->launch)]);
        break;
      case Milestone::Event::submitted: propagate_from_submission(milestone->launch); break;
    }
  }
}

void LatestTimes::join(std::uint32_t number, std::vector<bool>& are_joined) {
  if (number == JointEnds::kAlone) return;
  GDSIM_CHECK(!are_joined[number], "launches that end together do not stand together");
  are_joined[number] = true;
  const JointEnd& end = run_.joint.all()[number];
  Duration least = spare_of_end(end.last);
  for (const LaunchId id : end.launches) least = std::min(least, spare_of_end(id));
  for (const LaunchId id : end.launches) ended_[index_of(id)] = *run_.record_of(id).ended + least;
}

Duration LatestTimes::spare_of(LaunchId id) const {
  const JointEnd* end = run_.joint.end_of(id);
  return end == nullptr ? Duration{} : end->joined - run_.joined_at(id);
}

void LatestTimes::propagate_from_end(LaunchId id) {
  const std::size_t i = index_of(id);
  const LaunchRecord& record = run_.record_of(id);
  if (const LaunchParent* parent = run_.launch_at(id).parent()) {
    const SimTime end_of_parent = ended_[index_of(parent->launch)];
    const bool is_awaited = parent->wait == ChildWait::yes;
    lower(ended_[i], is_awaited ? *record.ended + spare_of_end(parent->launch) : end_of_parent);
    return;
  }
  const SimTime ready = ended_[i] - (*record.ended - *record.ready) + spare_of(id);
  if (!have_begins_) return propagate_from_readiness(id, ready);
  lower(ready_[i], ready);  // propagation goes on when its begin is visited
  for (const Dependency& dependency : run_.graph.predecessors[i])
    if (dependency.until == Until::triggered)
      lower(ended_[index_of(dependency.before)],
            ended_[i] - (*record.ended - *run_.record_of(dependency.before).ended));
}

void LatestTimes::propagate_from_readiness(LaunchId id, SimTime ready) {
  const std::size_t i = index_of(id);
  if (run_.launch_at(id).parent() != nullptr) return;
  for (const Dependency& dependency : run_.graph.predecessors[i]) {
    const std::size_t before = index_of(dependency.before);
    if (dependency.until == Until::triggered) {
      lower(ready_[before], ready - (*run_.record.triggered[before] - *run_.record_of(dependency.before).ready));
    } else {
      lower(ended_[before], ready - run_.gap(dependency.before, id));
    }
  }
  if (const auto before = run_.graph.starts.before_of(id)) {
    const LaunchRecord& record_before = run_.record_of(*before);
    lower(ready_[index_of(*before)], ready - (*record_before.begun - *record_before.ready));
  }
  lower(submitted_[i], ready - run_.device_of(id).launch_latency);
}

void LatestTimes::propagate_from_submission(LaunchId id) {
  const std::size_t i = index_of(id);
  const SimTime begun = submitted_[i] - run_.record.batched_for(id) - run_.host_cost(id);
  if (const auto before = run_.submitted_before(id))
    lower(submitted_[index_of(*before)], begun + run_.record.batched_for(*before));
  for (const LaunchId before : run_.launch_at(id).host_waits) lower(ended_[index_of(before)], begun);
}

void find_critical_path(const DeviceSpec& device, const Workload& workload, const LaunchGraph& graph, RunRecord& record,
                        const LaunchesOfDevices& devices) {
  const CompletedRun run(device, workload, graph, record, devices);
  const LatestTimes latest(run);
  std::optional<LaunchId> last;
  for (std::size_t i = 0; i < record.launches.size(); ++i) {
    const auto id = static_cast<LaunchId>(i);
    record.launches[i].slack = latest.slack_of(id);
    const bool is_child = run.launch_at(id).parent() != nullptr;
    if (!is_child && record.launches[i].is_critical() && !last && *record.launches[i].ended == record.end) last = id;
  }
  const BackwardPath backward_path(run);
  for (; last; last = backward_path.launch_before(*last)) record.critical_path.push_back(*last);
  std::reverse(record.critical_path.begin(), record.critical_path.end());
}

}  // namespace gdsim
