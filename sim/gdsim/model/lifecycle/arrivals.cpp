#include <gdsim/model/lifecycle/arrivals.hpp>

#include <algorithm>
#include <cstdint>
#include <utility>

namespace gdsim {

Arrivals::Arrivals(const DeviceSpec& device, const Workload& workload, const LaunchGraph& graph, ModelEventQueue& queue,
                   std::vector<LaunchRecord>& records)
    : device_(device),
      workload_(workload),
      graph_(graph),
      queue_(queue),
      records_(records),
      host_costs_(device, workload, graph),
      first_nodes_(workload),
      states_(workload.launches.size()),
      batched_(device.submission ? workload.launches.size() : 0) {
  for (std::size_t i = 0; i < states_.size(); ++i) {
    states_[i].predecessors_left = static_cast<std::uint32_t>(graph.predecessors[i].size());
    if (graph.starts.before_of(static_cast<LaunchId>(i))) ++states_[i].predecessors_left;
    const LazyVector<LaunchId>& waits = workload.launches[i].host_waits;
    states_[i].host_waits_left = static_cast<std::uint32_t>(waits.size());
    if (!waits.empty()) host_waiters_.resize(states_.size());
    for (const LaunchId before : waits) host_waiters_[index_of(before)].push_back(static_cast<LaunchId>(i));
    if (graph.trigger_waiters.size() == 0) continue;
    running_dependencies_.resize(states_.size());
    triggered_.resize(states_.size());
    for (const Dependency& dependency : graph.predecessors[i])
      if (dependency.until == Until::triggered) ++running_dependencies_[i];
  }
  submit_what_can_be();
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
  SimTime begin = std::max(wanted_by_host(launch), host_free_);
  for (const LaunchId before : workload_.launches[i].host_waits)
    begin = std::max(begin, *records_[index_of(before)].ended);
  host_free_ = begin + host_costs_.cost_of(launch);
  if (!device_.submission) return send(launch, host_free_);
  put_into_batch(launch);
}

SimTime Arrivals::wanted_by_host(LaunchId launch) const {
  const std::size_t i = index_of(launch);
  return workload_.launches[first_nodes_.before(i).value_or(i)].at;
}

void Arrivals::put_into_batch(LaunchId launch) {
  const SubmissionRule& rule = *device_.submission;
  if (!batch_.empty() && rule.flush && host_free_ > batch_.front().second + *rule.flush)
    send_batch(batch_.front().second + *rule.flush);
  if (batch_.empty()) goes_at_once_ = rule.sends_first_at_once && knows_idle_device(launch);
  batch_.emplace_back(launch, host_free_);
  const std::vector<LaunchId>& order = graph_.host_order;
  const std::size_t next = next_submission_ + 1;
  const bool is_last = next == order.size();
  const auto graph_of = [&](LaunchId id) { return workload_.graph_of(workload_.launches[index_of(id)]); };
  if (!is_last && graph_of(launch) && graph_of(launch) == graph_of(order[next])) return;  // a graph is one submission
  ++submissions_in_batch_;
  const bool host_pauses = is_last || !workload_.launches[index_of(order[next])].host_waits.empty();
  if (host_pauses || goes_at_once_ || submissions_in_batch_ >= rule.batch) send_batch(host_free_);
}

bool Arrivals::knows_idle_device(LaunchId next) const {
  if (next_submission_ == 0) return true;
  const LazyVector<LaunchId>& waits = workload_.launches[index_of(next)].host_waits;
  std::size_t ended = ended_before_;
  // Of the launches that end at the last instant, the host knows those for which it waits. Each counts once.
  for (auto wait = waits.begin(); wait != waits.end(); ++wait)
    if (std::find(waits.begin(), wait, *wait) == wait && *records_[index_of(*wait)].ended == last_end_) ++ended;
  return !waits.empty() && ended == next_submission_;
}

void Arrivals::send_batch(SimTime sent) {
  for (const auto& [launch, submitted] : batch_) {
    batched_[index_of(launch)] = sent - submitted;
    send(launch, sent);
  }
  batch_.clear();
  submissions_in_batch_ = 0;
}

void Arrivals::send(LaunchId launch, SimTime sent) {
  LaunchRecord& record = records_[index_of(launch)];
  record.submitted = sent;
  record.waited.add(WaitReason::host, sent - wanted_by_host(launch));
  schedule_if_free(launch);
}

void Arrivals::submit_child(LaunchId child) {
  records_[index_of(child)].submitted = queue_.now();
  schedule_if_free(child);
}

void Arrivals::schedule_if_free(LaunchId launch) {
  if (states_[index_of(launch)].predecessors_left > 0 || !records_[index_of(launch)].submitted) return;
  if (workload_.launches[index_of(launch)].is_remote()) return;  // its own device determines when it is ready
  SimTime ready = ready_behind(launch, HardwareQueue::counts);
  if (const auto before = graph_.starts.before_of(launch)) ready = std::max(ready, *records_[index_of(*before)].begun);
  queue_.schedule(ready, Event::launch_arrives(launch));
}

Duration Arrivals::gap_behind(LaunchId before, LaunchId launch) const {
  return dependency_gap(device_, workload_, before, launch);
}

SimTime Arrivals::ready_behind(LaunchId launch, HardwareQueue queue) const {
  SimTime ready = *records_[index_of(launch)].submitted + device_.launch_latency;
  for (const Dependency& dependency : graph_.predecessors[index_of(launch)]) {
    if (dependency.cause == Cause::hardware_queue && queue == HardwareQueue::ignored) continue;
    ready = std::max(ready, dependency.until == Until::triggered
                                ? triggered_at(dependency.before)
                                : *records_[index_of(dependency.before)].ended + gap_behind(dependency.before, launch));
  }
  return ready;
}

void Arrivals::on_arrived(LaunchId launch) {
  LaunchRecord& record = records_[index_of(launch)];
  record.ready = queue_.now();
  record.waited.add(WaitReason::launch_latency, device_.launch_latency);
  const SimTime free = graph_.starts_behind(launch) ? ready_behind(launch, HardwareQueue::ignored) : queue_.now();
  record.waited.add(WaitReason::predecessors, free - *record.submitted - device_.launch_latency);
  record.waited.add(WaitReason::hardware_queue, queue_.now() - free);
}

SimTime Arrivals::prepared_since(LaunchId launch) const {
  SimTime since = *records_[index_of(launch)].submitted + device_.launch_latency;
  for (const Dependency& dependency : graph_.predecessors[index_of(launch)]) {
    const LaunchRecord& before = records_[index_of(dependency.before)];
    since = std::max(since, before.begun ? *before.begun : *before.first_dispatched);  // a copy has only the latter
  }
  return since;
}

void Arrivals::on_begun(LaunchId launch) {
  if (const auto next = graph_.starts.next_of(launch)) drop_predecessor(*next);
}

void Arrivals::on_triggered(LaunchId launch) {
  triggered_[index_of(launch)] = queue_.now();
  for (const LaunchId next : graph_.trigger_waiters[index_of(launch)]) drop_predecessor(next);
}

void Arrivals::count_end(LaunchId launch) {
  if (!device_.submission || workload_.launches[index_of(launch)].parent() != nullptr) return;
  const SimTime ended = *records_[index_of(launch)].ended;
  if (ended > last_end_) ended_before_ += std::exchange(ended_last_, 0);
  last_end_ = ended;
  ++ended_last_;
}

std::span<const LaunchId> Arrivals::on_ended(LaunchId launch) {
  count_end(launch);
  for (const LaunchId next : graph_.successors[index_of(launch)]) drop_predecessor(next);
  if (!host_waiters_.empty()) {
    for (const LaunchId waiter : host_waiters_[index_of(launch)]) --states_[index_of(waiter)].host_waits_left;
    submit_what_can_be();
  }
  opened_.clear();
  if (graph_.has_trigger_waiters(launch))
    for (const LaunchId waiter : graph_.trigger_waiters[index_of(launch)])
      if (--running_dependencies_[index_of(waiter)] == 0) opened_.push_back(waiter);
  return opened_;
}

void Arrivals::drop_predecessor(LaunchId launch) {
  if (--states_[index_of(launch)].predecessors_left == 0) schedule_if_free(launch);
}

}  // namespace gdsim
