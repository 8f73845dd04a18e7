#include <gdsim/run/apart_watch.hpp>

#include <gdsim/run/execution.hpp>

#include <utility>

namespace gdsim {
namespace {

/// Rounds of other loops before the one that is looked at should have come again, and events of a look in vain.
constexpr std::uint64_t kFirstPatience = 1'000;
constexpr std::uint64_t kFirstPause = 10'000;
constexpr std::uint64_t kFewPeriods = 16;

}  // namespace

/// Begins anew for another work-group, or if threads of it have ended.
ApartWatch::Watch& ApartWatch::watch_of(const LoopHead& head) {
  const auto index = static_cast<std::size_t>(head.group);
  if (watches_.size() <= index) watches_.resize(index + 1);
  Watch& watch = watches_[index];
  const ActiveGroup& group = execution_.group(head.group);
  if (watch.launch == group.launch && watch.number == group.number && watch.ended == group.ended && watch.patience > 0)
    return watch;
  watch = {};
  watch.launch = group.launch;
  watch.number = group.number;
  watch.ended = group.ended;
  watch.patience = kFirstPatience;
  watch.pause = kFirstPause;
  return watch;
}

bool ApartWatch::is_due(const LoopHead& head, std::uint64_t events) {
  Watch& watch = watch_of(head);
  if (++watch.heads_passed > watch.patience) {
    watch.patience *= 2;
    watch.anchor.reset();
    watch.deepest = kMostLoops - 1;
  }
  if (!watch.anchor && head.depth <= watch.deepest) watch.anchor = head;
  if (!watch.anchor || watch.anchor->at != head.at) return false;
  watch.heads_passed = 0;
  return events >= watch.next_look;
}

std::optional<LoopPeriod> ApartWatch::look(const LoopHead& head, std::uint64_t events) {
  Watch& watch = watch_of(head);
  execution_.tell_state_of(head.group, state_);
  watch.next_look = events + state_.words.size();
  const TimeUse use = execution_.time_use_on_core(head.group);
  ++watch.looks;
  std::optional<LoopPeriod> period;
  if (watch.has_reference) period = execution_.loop_period(watch.reference, state_);
  if (period) {
    for (std::size_t i = 0; i < kTimeKinds; ++i) in_one_.spent[i] = use.spent[i] - watch.use.spent[i];
    watch.has_reference = false;
    if (in_one_.of(TimeKind::barrier) == 0) return period;
    watch.next_look = events + std::exchange(watch.pause, 2 * watch.pause);
  } else if (watch.looks >= watch.next_reference || !watch.has_reference) {
    std::swap(watch.reference, state_);
    watch.use = use;
    watch.has_reference = true;
    watch.next_reference = 2 * watch.looks;
  }
  return std::nullopt;
}

void ApartWatch::passed(const LoopHead& head, std::uint64_t periods) {
  Watch& watch = watch_of(head);
  watch.looks = 0;
  watch.next_reference = 1;
  if (periods >= kFewPeriods || head.depth == 0) return;
  watch.deepest = head.depth - 1U;
  watch.anchor.reset();
}

}  // namespace gdsim
