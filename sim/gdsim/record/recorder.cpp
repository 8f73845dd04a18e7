#include <gdsim/record/recorder.hpp>

#include <algorithm>

namespace gdsim {

Recorder::Recorder(std::uint32_t cores, const PhaseRules& rules, KeepTimeline keep)
    : counter_(cores), detector_(rules), keep_(keep) {}

void Recorder::record(SimTime time, std::span<const Fact> facts) {
  for (const Fact& fact : facts) counter_.apply(fact);
  const DeviceCounts& counts = counter_.counts();
  const bool is_first = !start_;
  if (is_first) start_ = time;
  if (is_first || counts.resident.threads != resident_threads_.level()) set_resident(time, counts.resident.threads);
  if (counts.cores_busy != cores_busy_.level()) cores_busy_.set_level(counts.cores_busy, time);
  detector_.state(time, counts);
  if (keep_ == KeepTimeline::yes && (is_first || counts != timeline_.back().counts))
    timeline_.push_back({time, counts});
}

void Recorder::set_resident(SimTime time, std::uint64_t threads) {
  if (keep_ == KeepTimeline::resident_threads) resident_.push_back({time, threads});
  resident_threads_.set_level(threads, time);
  peak_resident_ = std::max(peak_resident_, threads);
}

ResidentTimeline Recorder::take_resident(SimTime end) {
  if (resident_.empty()) return {};
  return {std::move(resident_), end};
}

}  // namespace gdsim
