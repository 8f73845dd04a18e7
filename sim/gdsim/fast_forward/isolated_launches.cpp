#include <gdsim/fast_forward/isolated_launches.hpp>

#include <gdsim/workload/program.hpp>

#include <algorithm>
#include <span>
#include <utility>

namespace gdsim {
namespace {

/// The first launch is simulated, the second is recorded, and all others repeat the recording.
constexpr std::uint32_t kMinLaunches = 3;
/// The maximum number of facts of all recorded launches: about 50 MB.
constexpr std::size_t kMaxFacts = std::size_t{1} << 20U;
/// Recording costs little more than simulating. After this number of failures, it is not tried again.
constexpr std::uint32_t kMaxFailures = 4;
/// The maximum size of the states found by launches, 8 MB. If they take more, they differ too often.
constexpr std::size_t kMaxWords = std::size_t{1} << 20U;

/// Returns, by kernel, true if it has enough launches that behave alike in isolation: they draw no random factors,
/// which would depend on the launch; they neither launch children nor take tiles; no load outlives its work-group.
std::vector<bool> kernels_that_repeat(const ModelState& state) {
  std::vector<std::uint32_t> launches(state.workload.kernels.size(), 0);
  for (const Launch& launch : state.workload.launches)
    if (launch.is_kernel()) ++launches[index_of(launch.as_kernel().kernel)];
  std::vector<bool> repeat(launches.size(), false);
  for (std::size_t i = 0; i < repeat.size(); ++i) {
    if (launches[i] < kMinLaunches || state.programs.draw_of(static_cast<KernelId>(i))) continue;
    const Program& program = state.workload.kernels[i].program;
    if (has_step<LaunchChild>(program) || has_step<Tiles>(program)) continue;
    const auto plans = state.programs.plans().all(static_cast<KernelId>(i));
    repeat[i] =
        std::none_of(plans.begin(), plans.end(), [](const ProgramPlan& plan) { return plan.max_outstanding() > 0; });
  }
  return repeat;
}

}  // namespace

bool IsolatedLaunches::may_occur(const ModelState& state) {
  const DispatchState& dispatch = state.dispatching.state();
  if (!dispatch.traits.allow_isolated_launches() || state.faults.lost_release) return false;
  if (state.dispatching.accounts().look_at_all_cores()) return false;  // a core's reasons depend on other cores
  return state.workload.launches.size() >= kMinLaunches;
}

IsolatedLaunches::IsolatedLaunches(Model& model, FastForwardSink& sink, SimTime bound)
    : model_(model), sink_(sink), bound_(bound), kernels_repeat_(kernels_that_repeat(model.state())) {}

void IsolatedLaunches::skip() {
  while (!recording_ && is_quiet(model_.state()) && skip_next() && !sink_.stop_requested()) {
  }
}

bool IsolatedLaunches::can_repeat(LaunchId launch) const {
  const Launch& one = model_.state().workload.launches[index_of(launch)];
  return one.is_kernel() && one.parent() == nullptr && !model_.state().graph.has_trigger_waiters(launch) &&
         kernels_repeat_[index_of(one.as_kernel().kernel)];
}

/// Returns true if a launch was repeated, so that another may follow. Records a launch that could be repeated but is
/// not known yet.
bool IsolatedLaunches::skip_next() {
  ModelState& state = model_.state();
  // The last launch is not repeated: the run ends with it, without waiting for recoveries.
  if (state.launches.left() < 2 || !state.waits.has_started()) return false;
  const auto next = state.events.lone_next();
  if (!next || static_cast<Rank>(next->event.rank()) != Rank::launch_arrives || !can_repeat(next->event.launch()))
    return false;
  const LaunchId launch = next->event.launch();
  const DispatchState& dispatch = state.dispatching.state();
  found_.clear();
  found_.push_back(index_of(state.workload.launches[index_of(launch)].as_kernel().kernel));
  found_.push_back(dispatch.selections.number_of(launch));
  found_.push_back(static_cast<std::uint64_t>(
      dispatch.begun_launches.left_of_overlap(state.arrivals.prepared_since(launch), next->at).count));
  if (!read_cursors(state, found_)) return false;
  auto place = entries_.find(found_);
  if (place == entries_.end()) {
    if (words_ > kMaxWords) return false;
    words_ += found_.size();
    place = entries_.try_emplace(found_).first;
  }
  Entry& entry = place->second;
  if (!entry.recorded) {
    if (entry.seen++ == 0 || entry.failures == kMaxFailures || facts_ > kMaxFacts || next->at >= bound_) return false;
    recording_.emplace(model_, launch, next->at);
    recorded_for_ = &entry;
    ++entry.failures;  // counts as a failure until it succeeds
    return false;
  }
  const LaunchEffect& effect = entry.recorded->effect;
  const SimTime quiet = next->at + effect.quiet;
  const SimTime end = next->at + since_start(*effect.record.ended);
  if (quiet >= bound_ || (next->behind && *next->behind <= quiet)) return false;
  const SimTime begun = next->at + since_start(*effect.record.begun);
  if (state.arrivals.next_ready_behind(launch, begun, end) <= quiet) return false;
  repeat(launch, next->at, entry);
  return true;
}

void IsolatedLaunches::repeat(LaunchId launch, SimTime at, Entry& entry) {
  skip_launch(model_.state(), launch, at, entry.recorded->effect);
  report(launch, at, *entry.recorded);
  ++entry.repeated;
  sink_.count_launches(1);
}

void IsolatedLaunches::report(LaunchId launch, SimTime at, RecordedLaunch& recorded) {
  for (Fact& fact : recorded.facts) fact.launch = launch;
  for (LaunchFact& fact : recorded.launch_facts) fact.launch = launch;
  const std::span<const Fact> facts = recorded.facts;
  const std::span<const LaunchFact> launch_facts = recorded.launch_facts;
  RecordedLaunch::Instant before;
  for (const RecordedLaunch::Instant& now : recorded.instants) {
    sink_.report_instant(at + now.since_arrival, facts.subspan(before.facts_end, now.facts_end - before.facts_end),
                         launch_facts.subspan(before.launch_facts_end, now.launch_facts_end - before.launch_facts_end));
    before = now;
  }
}

void IsolatedLaunches::on_instant_end() {
  if (!recording_ || !recording_->on_instant_end()) return;
  if (recording_->is_usable()) {
    auto recorded = std::make_unique<RecordedLaunch>(recording_->take());
    facts_ += recorded->facts.size();
    recorded_for_->recorded = std::move(recorded);
  }
  recording_.reset();
}

void IsolatedLaunches::finish() {
  recording_.reset();
  ModelState& state = model_.state();
  for (auto& [found, entry] : entries_) {
    const auto times = static_cast<Int128>(std::exchange(entry.repeated, 0));
    if (times == 0) continue;
    const KernelId kernel{static_cast<std::uint32_t>(found.front())};
    for (const auto& one : entry.recorded->contexts)
      state.bank.cores[index_of(one.core)].add_context_time(times * one.thread_picoseconds);
    for (const auto& one : entry.recorded->times)
      state.time_use.book(one.core, kernel, one.kind, times * one.thread_picoseconds);
    for (const IdleEntry& one : entry.recorded->idle)
      state.dispatching.accounts().idle().add(one.core, one.reason, times * one.context_time);
  }
}

}  // namespace gdsim
