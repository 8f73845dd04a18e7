#include <gdsim/model/lifecycle/arrivals.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>

namespace gdsim {

Arrivals::Arrivals(const DeviceSpec& device, const Workload& workload, const LaunchGraph& graph, GpuQueue& queue,
                   std::vector<LaunchRecord>& records)
    : device_(device),
      workload_(workload),
      graph_(graph),
      queue_(queue),
      records_(records),
      states_(workload.launches.size()) {
  for (std::size_t i = 0; i < states_.size(); ++i) {
    states_[i].predecessors_left = static_cast<std::uint32_t>(graph.predecessors[i].size());
    const LazyVector<LaunchId>& waits = workload.launches[i].host_waits;
    states_[i].host_waits_left = static_cast<std::uint32_t>(waits.size());
    if (!waits.empty()) host_waiters_.resize(states_.size());
    for (const LaunchId before : waits) host_waiters_[index_of(before)].push_back(static_cast<LaunchId>(i));
  }
  submit_what_can_be();
}

template <class List, class LaunchOf>
SimTime Arrivals::last_end(const List& list, LaunchOf launch_of) const {
  SimTime last;
  for (const auto& item : list) last = std::max(last, *records_[index_of(launch_of(item))].ended);
  return last;
}

void Arrivals::submit_what_can_be() {
  const std::vector<LaunchId>& order = graph_.host_order;
  for (; next_submission_ < order.size(); ++next_submission_) {
    const LaunchId launch = order[next_submission_];
    if (states_[index_of(launch)].host_waits_left > 0) return;
    submit(launch);
  }
}

void Arrivals::submit(LaunchId launch) {
  const std::size_t i = index_of(launch);
  const SimTime wanted = workload_.launches[i].at;
  const SimTime waited = last_end(workload_.launches[i].host_waits, [](LaunchId before) { return before; });
  const SimTime begin = std::max({wanted, host_free_, waited});
  host_free_ = begin + device_.submit_overhead;
  records_[i].submitted = host_free_;
  records_[i].waited.add(WaitReason::host, host_free_ - wanted);
  schedule_if_free(launch);
}

void Arrivals::submit_child(LaunchId child) {
  records_[index_of(child)].submitted = queue_.now();
  schedule_if_free(child);
}

void Arrivals::schedule_if_free(LaunchId launch) {
  const auto submitted = records_[index_of(launch)].submitted;
  if (states_[index_of(launch)].predecessors_left > 0 || !submitted) return;
  SimTime ready = *submitted + device_.launch_latency;
  if (const auto predecessors = graph_.predecessors[index_of(launch)]; !predecessors.empty()) {
    const SimTime freed = last_end(predecessors, [](const Dependency& dependency) { return dependency.before; });
    ready = std::max(ready, freed + device_.dependency_gap);
  }
  queue_.schedule(ready, Event::launch_arrives(launch));
}

void Arrivals::arrived(LaunchId launch) {
  LaunchRecord& record = records_[index_of(launch)];
  record.ready = queue_.now();
  record.waited.add(WaitReason::launch_latency, device_.launch_latency);
  record.waited.add(WaitReason::predecessors, queue_.now() - *record.submitted - device_.launch_latency);
}

SimTime Arrivals::prepared_since(LaunchId launch) const {
  SimTime since = *records_[index_of(launch)].submitted + device_.launch_latency;
  for (const Dependency& dependency : graph_.predecessors[index_of(launch)]) {
    const LaunchRecord& before = records_[index_of(dependency.before)];
    since = std::max(since, before.begun ? *before.begun : *before.first_dispatched);  // a copy begins with its bytes
  }
  return since;
}

void Arrivals::ended(LaunchId launch) {
  for (const LaunchId next : graph_.successors[index_of(launch)]) {
    if (--states_[index_of(next)].predecessors_left == 0) schedule_if_free(next);
  }
  if (host_waiters_.empty()) return;
  for (const LaunchId waiter : host_waiters_[index_of(launch)]) --states_[index_of(waiter)].host_waits_left;
  submit_what_can_be();
}

SimTime Arrivals::next_ready_behind(LaunchId launch, SimTime end) const {
  SimTime first{std::numeric_limits<std::int64_t>::max()};
  if (!host_waiters_.empty() && !host_waiters_[index_of(launch)].empty()) return end;
  for (const LaunchId next : graph_.successors[index_of(launch)]) {
    if (states_[index_of(next)].predecessors_left > 1) continue;
    SimTime ready = end + device_.dependency_gap;
    if (const auto submitted = records_[index_of(next)].submitted)
      ready = std::max(ready, *submitted + device_.launch_latency);
    first = std::min(first, ready);
  }
  return first;
}

}  // namespace gdsim
