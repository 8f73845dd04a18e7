#include <gdsim/run/period_watch.hpp>

#include <algorithm>
#include <utility>

namespace gdsim {
namespace {

/// An odd number times 2^16: what an instant added is gone from the sum 4 instants later.
constexpr std::uint64_t kForgetting = 0x9E37'79B9'7F4A'7C15U << 16U;
constexpr std::uint64_t kMixing = 0xBF58'476D'1CE4'E5B9U;

}  // namespace

void PeriodWatch::restart(std::uint64_t least_facts) {
  stage_ = Stage::looking;
  least_facts_ = least_facts;
  turns_ = 0;
  next_reference_ = 1;
  facts_seen_ = 0;
  patience_ = 0;
  next_compare_ = 0;
  reference_.reset();
}

void PeriodWatch::see(Picoseconds now, std::span<const Fact> facts) {
  if (stage_ == Stage::given_up || facts.empty()) return;
  std::uint64_t word = static_cast<std::uint64_t>((now - last_).count) * kMixing;
  word ^= (facts.size() << 32U) ^ (index_of(facts.front().core) << 16U) ^ index_of(facts.back().core);
  word = (word ^ (word >> 29U)) * kMixing;
  looks_ = looks_ * kForgetting + (word ^ (word >> 32U));
  last_ = now;
  facts_seen_ += facts.size();
  if (stage_ != Stage::recording) return;
  segment_.add(now, facts);
  if (segment_.is_too_long()) give_up();
}

bool PeriodWatch::wants_state(Picoseconds now) {
  if (stage_ == Stage::recording) return now >= reference_->time + segment_.shift().time;
  ++turns_;
  return facts_seen_ >= least_facts_ && (turns_ >= next_reference_ || looks_like_reference());
}

PeriodWatch::Found PeriodWatch::refuse() {
  if (stage_ == Stage::recording) give_up();
  if (turns_ >= next_reference_) next_reference_ = 2 * turns_;
  return Found::nothing;
}

PeriodWatch::Found PeriodWatch::judge(Picoseconds now) {
  if (stage_ == Stage::recording) {
    const Shift& shift = segment_.shift();
    const bool recurs = now == reference_->time + shift.time && dispatched_since_reference() == shift.work_groups &&
                        state_ == reference_->state;
    give_up();
    return recurs ? Found::its_end : Found::nothing;
  }
  if (looks_like_reference()) {
    if (state_ == reference_->state && dispatched_ != reference_->dispatched) {
      segment_.begin({now - reference_->time, dispatched_since_reference()});
      keep_reference(now);
      stage_ = Stage::recording;
      return Found::a_period;
    }
    patience_ = std::max<std::uint64_t>(2 * patience_, state_.size());
    next_compare_ = facts_seen_ + patience_;
  }
  if (turns_ >= next_reference_) {
    keep_reference(now);
    next_reference_ = 2 * turns_;
  }
  return Found::nothing;
}

GroupCounts PeriodWatch::dispatched_since_reference() const {
  GroupCounts since = dispatched_;
  for (std::size_t i = 0; i < since.size(); ++i) since[i].work_groups -= reference_->dispatched[i].work_groups;
  return since;
}

void PeriodWatch::keep_reference(Picoseconds now) {
  if (!reference_) reference_.emplace();
  reference_->time = now;
  reference_->looks = looks_;
  std::swap(reference_->dispatched, dispatched_);
  std::swap(reference_->state, state_);
}

}  // namespace gdsim
