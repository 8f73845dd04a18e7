#include <gdsim/record/launch_record.hpp>

namespace gdsim {

std::string_view name_of(WaitReason reason) {
  constexpr std::array<std::string_view, kWaitReasonCount> names{
      "host",           "launch_latency",    "predecessors", "other_launches",
      "launch_cost",    "dispatch_interval", "ports",        "core_sharing",
      "contexts",       "work_group_slots",  "slm",          "barriers",
      "registers",      "context_ranges",    "cluster_room", "partition",
      "hardware_queue", "slm_pool"};
  return names[static_cast<std::size_t>(reason)];
}

Duration WaitTimes::operator[](WaitReason reason) const {
  for (std::size_t i = 0; i < count_; ++i)
    if (reasons_[i] == reason) return times_[i];
  for (const Further& further : further_)
    if (further.reason == reason) return further.time;
  return {};
}

void WaitTimes::add(WaitReason reason, Duration time) {
  if (time == Duration{}) return;
  if (Duration* known = find(reason)) {
    *known = *known + time;
  } else if (count_ < times_.size()) {
    times_[count_] = time;
    reasons_[count_++] = reason;
  } else {
    further_.push_back({time, reason});
  }
}

Duration* WaitTimes::find(WaitReason reason) {
  for (std::size_t i = 0; i < count_; ++i)
    if (reasons_[i] == reason) return &times_[i];
  for (Further& further : further_)
    if (further.reason == reason) return &further.time;
  return nullptr;
}

OptionalDuration LaunchRecord::duration() const {
  if (!begun || !ended) return std::nullopt;
  return *ended - *begun;
}

OptionalDuration LaunchRecord::active() const {
  if (!first_dispatched || !ended) return std::nullopt;
  return *ended - *first_dispatched;
}

}  // namespace gdsim
