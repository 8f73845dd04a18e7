#include <gdsim/record/recorder.hpp>

#include <algorithm>

namespace gdsim {

Recorder::Recorder(std::uint32_t cores, const MinPhase& min_phase, KeepTimeline keep)
    : counter_(cores), detector_(min_phase), keep_(keep) {}

void Recorder::instant(Picoseconds time, std::span<const Fact> facts) {
  for (const Fact& fact : facts) counter_.apply(fact);
  const DeviceCounts& counts = counter_.counts();
  if (start_ && counts == last_) return;
  if (!start_) start_ = changed_ = time;
  resident_time_ += Int128{last_.resident.threads} * (time - changed_).count;
  changed_ = time;
  last_ = counts;
  peak_resident_ = std::max(peak_resident_, counts.resident.threads);
  detector_.state(time, counts);
  if (keep_ == KeepTimeline::yes) timeline_.push_back({time, counts});
}

Int128 Recorder::resident_time(Picoseconds end) const {
  return resident_time_ + Int128{last_.resident.threads} * (end - changed_).count;
}

}  // namespace gdsim
