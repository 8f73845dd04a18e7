#include <gdsim/fast_forward/recurrence_finder.hpp>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace gdsim {
namespace {

/// Returns true if some fact is visible. A wait that begins and ends at the same instant is not.
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

void RecurrenceFinder::restart(std::uint64_t min_events) {
  stage_ = Stage::looking;
  min_events_ = min_events;
  recent_.clear();
  instants_ = 0;
  next_reference_ = kMinWindow;
  events_seen_ = 0;
  patience_ = 0;
  next_compare_ = 0;
  has_reference_ = false;
}

void RecurrenceFinder::record(SimTime now, std::span<const Fact> facts) {
  if (facts.empty() || !is_visible(facts)) return;
  segment_.add(now, facts);
  if (segment_.is_too_long()) give_up();
}

RecurrenceFinder::Found RecurrenceFinder::refuse() {
  if (stage_ == Stage::recording) give_up();
  if (instants_ >= next_reference_) next_reference_ = 2 * instants_;
  return Found::nothing;
}

RecurrenceFinder::Found RecurrenceFinder::compare(SimTime now) {
  if (stage_ == Stage::recording) {
    const Period expected = *period_;
    period_ = now == reference_.time + expected.shift.time ? period_between(reference_, image_) : std::nullopt;
    give_up();
    return period_ && moves_alike(*period_, expected) ? Found::period_recorded : Found::nothing;
  }
  if (looks_like_reference()) {
    period_ = period_between(reference_, image_);
    if (period_) {
      segment_.begin(period_->shift);
      period_events_ = events_seen_ - reference_events_;
      keep_reference();
      stage_ = Stage::recording;
      return Found::period_found;
    }
    patience_ = std::max<std::uint64_t>(2 * patience_, image_.words.size());
    next_compare_ = events_seen_ + patience_;
  }
  if (instants_ >= next_reference_) {
    keep_reference();
    next_reference_ = 2 * instants_;
    patience_ = 0;  // later states are compared with a new reference
  }
  return Found::nothing;
}

void RecurrenceFinder::keep_reference() {
  has_reference_ = true;
  reference_events_ = events_seen_;
  window_ = recent_.window(std::max(kMinWindow, instants_ / 4));
  reference_hash_ = recent_.hash_of_last(window_);
  reference_word_ = last_word_;
  std::swap(reference_, image_);
}

}  // namespace gdsim
