#include <gdsim/record/recorder.hpp>

#include <algorithm>

namespace gdsim {

Recorder::Recorder(std::uint32_t cores, const PhaseRules& rules, KeepTimeline keep)
    : counter_(cores), detector_(rules), keep_(keep) {}

void Recorder::on_instant(const Instant& now) {
  for (const Fact& fact : now.facts) counter_.apply(fact);
  const DeviceCounts& counts = counter_.counts();
  if (start_ && counts == last_) return;
  if (!start_ || counts.resident.threads != last_.resident.threads) {
    if (keep_ == KeepTimeline::resident_threads) resident_.push_back({now.time, counts.resident.threads});
    resident_threads_.set_level(counts.resident.threads, now.time);
    peak_resident_ = std::max(peak_resident_, counts.resident.threads);
  }
  if (counts.cores_busy != last_.cores_busy) cores_busy_.set_level(counts.cores_busy, now.time);
  if (!start_) start_ = now.time;
  detector_.state(now.time, counts);
  if (keep_ == KeepTimeline::yes) timeline_.push_back({now.time, counts});
  last_ = counts;
}

ResidentTimeline Recorder::take_resident(SimTime end) {
  if (resident_.empty()) return {};
  return {std::move(resident_), end};
}

}  // namespace gdsim
