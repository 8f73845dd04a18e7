#include <gdsim/fast_forward/launch_recording.hpp>

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

namespace gdsim {
namespace {

/// The number of changes of one launch: it arrives, begins and ends.
constexpr std::uint64_t kChangesOfOne = 3;

/// Merges spans that begin where another ends, if both are waits during all of their time.
std::vector<WaitSpan> joined(const std::vector<WaitSpan>& spans, SimTime from) {
  std::vector<WaitSpan> all;
  for (WaitSpan span : spans) {
    span.begin = SimTime{} + (span.begin - from);
    span.end = SimTime{} + (span.end - from);
    const auto is_full = [](const WaitSpan& wait) {
      return wait.waited == (wait.end - wait.begin).count && wait.repeated == 0;
    };
    const bool continues = !all.empty() && all.back().end == span.begin && all.back().threads == span.threads &&
                           all.back().column == span.column && is_full(all.back()) && is_full(span);
    if (!continues) {
      all.push_back(span);
      continue;
    }
    all.back().end = span.end;
    all.back().waited += span.waited;
  }
  return all;
}

std::vector<IdleEntry> summed(std::vector<IdleEntry> entries) {
  const auto key = [](const IdleEntry& entry) {
    return std::tuple(entry.core, entry.reason.has_value(), entry.reason ? entry.reason->reason : WaitReason{});
  };
  std::stable_sort(entries.begin(), entries.end(),
                   [&](const IdleEntry& a, const IdleEntry& b) { return key(a) < key(b); });
  std::vector<IdleEntry> sums;
  for (const IdleEntry& entry : entries) {
    if (!sums.empty() && key(sums.back()) == key(entry) && sums.back().reason == entry.reason) {
      sums.back().context_time += entry.context_time;
    } else {
      sums.push_back(entry);
    }
  }
  std::erase_if(sums, [](const IdleEntry& entry) { return entry.context_time == 0; });
  return sums;
}

OptionalTime since(OptionalTime time, SimTime from) { return time ? OptionalTime(SimTime{} + (*time - from)) : time; }

/// Returns true for waits before the launch was ready, which differ between launches.
bool is_before_ready(WaitReason reason) {
  return reason == WaitReason::host || reason == WaitReason::launch_latency || reason == WaitReason::predecessors ||
         reason == WaitReason::hardware_queue;
}

}  // namespace

LaunchRecording::LaunchRecording(Model& model, LaunchId launch, SimTime at)
    : model_(model),
      launch_(launch),
      kernel_(model.state().workload.launches[index_of(launch)].as_kernel().kernel),
      at_(at),
      changes_(model.state().launches.changes()) {
  ModelState& state = model.state();
  // No state changes before the arrival.
  state.dispatching.accounts().settle_idle(at);
  state.dispatching.accounts().idle().note_in(&recorded_.idle);
  state.waits.note_in(&recorded_.effect.waits);
  for (std::size_t core = 0; core < state.bank.cores.size(); ++core) {
    contexts_before_.push_back(state.bank.cores[core].context_time(at));
    times_before_.push_back(state.time_use.of(static_cast<CoreId>(core), kernel_));
  }
}

LaunchRecording::~LaunchRecording() {
  model_.state().dispatching.accounts().idle().note_in(nullptr);
  model_.state().waits.note_in(nullptr);
}

bool LaunchRecording::fail() {
  is_usable_ = false;
  return true;
}

bool LaunchRecording::on_instant_end() {
  const ModelState& state = model_.state();
  recorded_.facts.insert(recorded_.facts.end(), model_.facts().begin(), model_.facts().end());
  recorded_.launch_facts.insert(recorded_.launch_facts.end(), model_.launch_facts().begin(),
                                model_.launch_facts().end());
  if (!model_.facts().empty() || !model_.launch_facts().empty())
    recorded_.instants.push_back({model_.now() - at_, recorded_.facts.size(), recorded_.launch_facts.size()});
  if (state.launches.changes() > changes_ + kChangesOfOne || recorded_.facts.size() > kMaxFacts) return fail();
  if (!is_quiet(state)) return false;
  is_usable_ = state.launches.changes() == changes_ + kChangesOfOne && state.launches.record(launch_).ended &&
               !model_.copy_began();
  return true;
}

RecordedLaunch LaunchRecording::take() {
  ModelState& state = model_.state();
  const SimTime now = model_.now();
  state.dispatching.accounts().settle_idle(now);
  recorded_.idle = summed(std::move(recorded_.idle));
  LaunchEffect& effect = recorded_.effect;
  effect.waits = joined(effect.waits, at_);
  effect.record = state.launches.record(launch_);
  for (const WaitReason reason : kWaitReasons)
    if (const Duration time = effect.record.waited[reason]; time.count > 0 && !is_before_ready(reason))
      effect.waited.emplace_back(reason, time);
  for (OptionalTime* time :
       {&effect.record.begun, &effect.record.first_dispatched, &effect.record.fully_dispatched, &effect.record.ended})
    *time = since(*time, at_);
  effect.work_groups = state.dispatching.progress().dispatched(launch_);
  effect.completions = state.launches.completions(launch_);
  effect.quiet = now - at_;
  if (!read_cursors(state, effect.cursors)) effect.cursors.clear();
  for (std::size_t i = 0; i < state.bank.cores.size(); ++i) {
    const auto core = static_cast<CoreId>(i);
    if (const Int128 grown = state.bank.cores[i].context_time(now) - contexts_before_[i]; grown != 0)
      recorded_.contexts.push_back({core, grown});
    const TimeUse use = state.time_use.of(core, kernel_);
    for (std::size_t kind = 0; kind < kTimeKindCount; ++kind)
      if (const Int128 grown = use.spent[kind] - times_before_[i].spent[kind]; grown != 0)
        recorded_.times.push_back({core, static_cast<TimeKind>(kind), grown});
  }
  return std::move(recorded_);
}

}  // namespace gdsim
