#include <gdsim/record/recorder.hpp>

#include <algorithm>

namespace gdsim {

Recorder::Recorder(std::uint32_t cores, const PhaseRules& rules, KeepTimeline keep)
    : counter_(cores), detector_(rules), keep_(keep) {}

inline void Recorder::state(SimTime time, const DeviceCounts& counts) {
  if (start_ && counts == last_) return;
  if (!start_ || counts.resident.threads != last_.resident.threads) {
    if (keep_ == KeepTimeline::resident_threads) resident_.push_back({time, counts.resident.threads});
    resident_threads_.set_level(counts.resident.threads, time);
    peak_resident_ = std::max(peak_resident_, counts.resident.threads);
  }
  if (counts.cores_busy != last_.cores_busy) cores_busy_.set_level(counts.cores_busy, time);
  if (!start_) start_ = time;
  changed_ = time;
  detector_.state(time, counts);
  if (keep_ == KeepTimeline::yes) timeline_.push_back({time, counts});
  last_ = counts;
}

void Recorder::on_instant(const Instant& now) {
  for (const Fact& fact : now.facts) counter_.apply(fact);
  state(now.time, counter_.counts());
}

void Recorder::on_repeated(const Segment& segment, std::uint64_t count) {
  const std::size_t timeline_before = timeline_.kept();
  const std::size_t resident_before = resident_.kept();
  const KeepTimeline keep = keep_;
  // The device has the same states in every repetition.
  std::vector<TimelinePoint> states;
  for (std::size_t at = 0; at < segment.instants(); ++at) {
    const Segment::Instant now = segment.instant(at);
    for (const Fact& fact : now.facts) counter_.apply(fact);
    if (states.empty() || !(states.back().counts == counter_.counts())) states.push_back({now.time, counter_.counts()});
  }
  Duration passed;
  for (std::uint64_t left = count; left > 0;) {
    const PhaseDetector::Mark mark = detector_.mark();
    const SimTime changed_before = changed_;
    const Int128 time_before = resident_time(changed_);
    const Int128 core_time_before = core_time(changed_);
    passed = passed + segment.shift().time;
    for (const TimelinePoint& one : states) state(one.time + passed, one.counts);
    keep_ = KeepTimeline::no;  // the points of the first repetition in the timeline stand for the others
    --left;
    const std::uint64_t taken = detector_.fast_forward(mark, left, segment.shift().time);
    if (taken == 0) continue;
    const Duration skipped = times(segment.shift().time, taken);
    if (changed_ != changed_before) {  // it has moved by one period
      const auto repetitions = static_cast<Int128>(taken);
      resident_threads_.fast_forward(skipped, repetitions * (resident_time(changed_) - time_before));
      cores_busy_.fast_forward(skipped, repetitions * (core_time(changed_) - core_time_before));
      changed_ = changed_ + skipped;
    }
    passed = passed + skipped;
    left -= taken;
  }
  keep_ = keep;
  timeline_.repeat_from(timeline_before, count - 1, segment.shift().time);
  resident_.repeat_from(resident_before, count - 1, segment.shift().time);
}

ResidentTimeline Recorder::take_resident(SimTime end) {
  if (resident_.empty()) return {};
  return {std::move(resident_), end};
}

}  // namespace gdsim
