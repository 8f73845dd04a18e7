#include <gdsim/run/loop_watch.hpp>

#include <gdsim/run/execution.hpp>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace gdsim {
namespace {

/// Threads that come to a barrier and go on at the same instant show nowhere.
bool is_visible(std::span<const Fact> facts) {
  std::map<std::tuple<LaunchId, WorkGroupId, CoreId>, std::int64_t> waiting;
  for (const Fact& fact : facts) {
    if (fact.kind != FactKind::waiting && fact.kind != FactKind::resumed) return true;
    waiting[{fact.launch, fact.work_group, fact.core}] +=
        fact.kind == FactKind::waiting ? std::int64_t{fact.threads} : -std::int64_t{fact.threads};
  }
  return std::any_of(waiting.begin(), waiting.end(), [](const auto& entry) { return entry.second != 0; });
}

}  // namespace

void LoopWatch::restart() {
  is_recording_ = false;
  has_reference_ = false;
  looks_ = 0;
  next_reference_ = 1;
}

void LoopWatch::see(Picoseconds now, std::span<const Fact> facts) {
  if (!is_recording_ || facts.empty() || !is_visible(facts)) return;
  segment_.add(now, facts);
  if (segment_.is_too_long()) restart();
}

bool LoopWatch::has_recurred(Picoseconds now, bool at_loop_head, std::uint64_t events) {
  if (!is_recording_) {
    if (at_loop_head && events >= next_look_) look(events);
    return false;
  }
  if (now < reference_.time + segment_.shift().time) return false;
  execution_.tell_loop_state(state_);
  next_look_ = events + state_.words.size();
  period_ = execution_.loop_period(reference_, state_);
  restart();
  return period_ && period_->time == segment_.shift().time;
}

void LoopWatch::look(std::uint64_t events) {
  ++looks_;
  execution_.tell_loop_state(state_);
  next_look_ = events + state_.words.size();
  if (has_reference_ && execution_.loop_period(reference_, state_)) {
    segment_.begin({state_.time - reference_.time, {}});
    std::swap(reference_, state_);
    time_use_ = execution_.time_use_of_active_kernels();
    is_recording_ = true;
  } else if (looks_ >= next_reference_) {
    std::swap(reference_, state_);
    has_reference_ = true;
    next_reference_ = 2 * looks_;
  }
}

}  // namespace gdsim
