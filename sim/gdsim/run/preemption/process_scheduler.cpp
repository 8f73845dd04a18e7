#include <gdsim/run/preemption/preempted_run.hpp>

#include <algorithm>
#include <utility>

namespace gdsim {

ProcessScheduler::ProcessScheduler(const CompiledParts& parts, std::vector<std::unique_ptr<Process>>& processes,
                                   const ProcessAssignment& assignment)
    : device_(parts.device),
      rule_(*parts.rules.preemption),
      choice_(parts.rules.kernel_choice),
      workload_(*parts.workload),
      processes_(processes) {
  for (const Kernel& kernel : workload_.kernels)
    thread_bytes_.push_back(register_bytes(kernel, device_).value_or(Bytes{}).count);
  for (const std::string& name : assignment.names) record_.processes.push_back({name, {}, 0, 0, {}, {}});
  record_.process_of = assignment.of_launches;
}

std::optional<std::size_t> ProcessScheduler::next_process() const {
  const std::size_t count = processes_.size();
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t next = choice_ == KernelChoice::time_sliced ? (current_ + 1 + i) % count : i;
    if (next != current_ && processes_[next]->has_work()) return next;
  }
  return std::nullopt;
}

bool ProcessScheduler::is_slice_over(SimTime at) const {
  return at > slice_begin_ && (at - slice_begin_).count % rule_.quantum->count == 0;
}

bool ProcessScheduler::must_switch(SimTime at) const {
  const auto next = next_process();
  if (!next) return false;
  if (!current().has_work()) return true;
  return choice_ == KernelChoice::time_sliced ? is_slice_over(at) : *next < current_;
}

bool ProcessScheduler::is_drained(SimTime at) const {
  const auto drained = current().drained_at();
  return drained && *drained <= at;
}

std::optional<SimTime> ProcessScheduler::next_time(SimTime now) const {
  if (use_ == DeviceUse::saving || use_ == DeviceUse::restoring) return switch_end_;
  if (use_ == DeviceUse::draining) return is_drained(now) ? std::nullopt : current().drained_at();
  if (choice_ != KernelChoice::time_sliced || !next_process()) return std::nullopt;
  const std::int64_t slices = (now - slice_begin_).count / rule_.quantum->count + 1;
  return slice_begin_ + times(*rule_.quantum, static_cast<std::uint64_t>(slices));
}

ContextsMoved ProcessScheduler::contexts_of(const Process& process) const {
  ContextsMoved moved;
  std::vector<std::uint32_t> on_core(device_.cores, 0);
  for (const auto& [key, group] : process.contexts().groups()) {
    const KernelId kernel = workload_.launches[index_of(key.first)].as_kernel().kernel;
    ++moved.work_groups;
    moved.most_on_core = std::max(moved.most_on_core, ++on_core[index_of(group.core)]);
    moved.bytes = moved.bytes + Bytes{thread_bytes_[index_of(kernel)] * group.threads} + group.slm;
  }
  return moved;
}

void ProcessScheduler::resume_process(std::size_t process, SimTime at) {
  current_ = process;
  current().resume(at);
  slice_begin_ = at;
  had_work_ = current().has_work();
  set_use(DeviceUse::running, at);
}

Bytes ProcessScheduler::move_contexts(DeviceUse use, const ContextMove& move, SimTime at) {
  const ContextsMoved contexts = contexts_of(current());
  const Bytes bytes = bytes_moved(move, contexts);
  switch_end_ = at + time_to_move(move, contexts, device_);
  set_use(use, at);
  if (is_span_open_) {
    record_.spans.back().work_groups = contexts.work_groups;
    record_.spans.back().bytes = bytes;
  }
  return bytes;
}

bool ProcessScheduler::begin_saving(SimTime at, std::vector<Fact>& facts) {
  if (current().has_work()) ++record().preemptions;
  current().suspend(at);
  current().contexts().add_facts(ThreadEvent::saved, facts);
  record().saved += current().contexts().groups().size();
  record().bytes_saved = record().bytes_saved + move_contexts(DeviceUse::saving, rule_.save, at);
  return true;
}

bool ProcessScheduler::begin_restoring(std::size_t process, SimTime at) {
  current_ = process;
  record().bytes_restored = record().bytes_restored + move_contexts(DeviceUse::restoring, rule_.restore, at);
  return true;
}

bool ProcessScheduler::decide_running(SimTime at, std::vector<Fact>& facts) {
  if (current().has_work() && !had_work_) slice_begin_ = at;
  if (current().has_work() != had_work_) {
    had_work_ = current().has_work();
    set_use(DeviceUse::running, at);
  }
  if (!must_switch(at)) return false;
  if (rule_.of == PreemptionOf::thread || is_drained(at)) return begin_saving(at, facts);
  ++record().preemptions;
  current().drain(at);
  set_use(DeviceUse::draining, at);
  record_.spans.back().work_groups = current().contexts().groups().size();
  return true;
}

bool ProcessScheduler::decide(SimTime at, std::vector<Fact>& facts) {
  switch (use_) {
    case DeviceUse::running: return decide_running(at, facts);
    case DeviceUse::draining:
      if (!is_drained(at)) return false;
      current().suspend(at);
      return begin_restoring(next_process().value_or(current_), at);
    case DeviceUse::saving:
      if (at < switch_end_) return false;
      return begin_restoring(next_process().value_or(current_), at);
    case DeviceUse::restoring:
      if (at < switch_end_) return false;
      current().contexts().add_facts(ThreadEvent::restored, facts);
      resume_process(current_, at);
      return true;
    case DeviceUse::waiting: break;  // a process waits, the device does not
  }
  return false;
}

void ProcessScheduler::set_use(DeviceUse use, SimTime at) {
  close_span(at);
  use_ = use;
  const bool is_switch = use == DeviceUse::saving || use == DeviceUse::restoring;
  const bool takes_time = is_switch ? switch_end_ > at : use == DeviceUse::draining || current().has_work();
  if (takes_time) open_span(use, at);
}

void ProcessScheduler::open_span(DeviceUse use, SimTime at) {
  record_.spans.push_back({at, at, static_cast<std::uint32_t>(current_), use, 0, {}});
  is_span_open_ = true;
}

void ProcessScheduler::close_span(SimTime at) {
  if (!is_span_open_) return;
  is_span_open_ = false;
  record_.spans.back().end = at;
  if (record_.spans.back().begin == at) record_.spans.pop_back();
}

void ProcessScheduler::account(SimTime at) {
  const Duration passed = at - accounted_;
  accounted_ = at;
  if (passed.count == 0) return;
  for (std::size_t i = 0; i < processes_.size(); ++i) {
    if (!processes_[i]->has_work()) continue;
    const DeviceUse use = i == current_ ? use_ : DeviceUse::waiting;
    Duration& sum = record_.processes[i].used[static_cast<std::size_t>(use)];
    sum = sum + passed;
  }
}

PreemptionRecord ProcessScheduler::finish(SimTime at) {
  account(at);
  close_span(at);
  if (current().has_device()) current().suspend(at);
  return std::move(record_);
}

}  // namespace gdsim
