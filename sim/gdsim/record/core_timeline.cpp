#include <gdsim/record/core_timeline.hpp>

#include <algorithm>

namespace gdsim {

void CoreTimeline::on_instant(const Instant& now) {
  touched_.clear();
  for (const Fact& fact : now.facts) {
    now_[index_of(fact.core)].apply(fact, Scope::core);
    touched_.push_back(fact.core);
  }
  if (points_.empty()) {
    for (std::size_t i = 0; i < now_.size(); ++i) points_.push_back({now.time, static_cast<CoreId>(i), now_[i]});
    written_ = now_;
    return;
  }
  std::sort(touched_.begin(), touched_.end());
  touched_.erase(std::unique(touched_.begin(), touched_.end()), touched_.end());
  for (const CoreId core : touched_) {
    const std::size_t i = index_of(core);
    if (now_[i] == written_[i]) continue;
    points_.push_back({now.time, core, now_[i]});
    written_[i] = now_[i];
  }
}

void CoreTimeline::repeated(const Segment& segment, std::uint64_t count) {
  const std::size_t before = points_.kept();
  replay(segment, 1, 1, *this);
  points_.repeat_from(before, count - 1, segment.shift().time);
}

}  // namespace gdsim
