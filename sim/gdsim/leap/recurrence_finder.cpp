#include <gdsim/leap/recurrence_finder.hpp>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace gdsim {
namespace {

constexpr std::uint64_t kMixing = 0xBF58'476D'1CE4'E5B9U;

/// Instants that are compared at least.
constexpr std::uint64_t kMinWindow = 4;

/// Threads that begin and end a wait at the same instant are not visible.
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
  next_reference_ = 1;
  events_seen_ = 0;
  patience_ = 0;
  next_compare_ = 0;
  has_reference_ = false;
}

void RecurrenceFinder::see(SimTime now, std::uint64_t events, std::span<const Fact> facts) {
  std::uint64_t word = static_cast<std::uint64_t>((now - last_).count) * kMixing;
  word ^= (events << 48U) ^ (facts.size() << 32U);
  if (!facts.empty()) word ^= (index_of(facts.front().core) << 16U) ^ index_of(facts.back().core);
  word = (word ^ (word >> 29U)) * kMixing;
  recent_.add(word ^ (word >> 32U));
  last_ = now;
  ++instants_;
  events_seen_ += events;
  if (stage_ != Stage::recording || facts.empty() || !is_visible(facts)) return;
  segment_.add(now, facts);
  if (segment_.is_too_long()) give_up();
}

bool RecurrenceFinder::wants_image(SimTime now) {
  if (stage_ == Stage::given_up) return false;
  if (stage_ == Stage::recording) return now >= reference_.time + period_->shift.time;
  return events_seen_ >= min_events_ && (instants_ >= next_reference_ || looks_like_reference());
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
    return period_ && *period_ == expected ? Found::period_recorded : Found::nothing;
  }
  if (looks_like_reference()) {
    period_ = period_between(reference_, image_);
    if (period_) {
      segment_.begin(period_->shift);
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
    patience_ = 0;  // what follows is compared with another state
  }
  return Found::nothing;
}

void RecurrenceFinder::keep_reference() {
  has_reference_ = instants_ >= kMinWindow;  // a shorter past looks like too much
  window_ = recent_.window(std::max(kMinWindow, instants_ / 4));
  reference_hash_ = recent_.hash_of_last(window_);
  std::swap(reference_, image_);
}

}  // namespace gdsim
