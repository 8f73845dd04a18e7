#include <gdsim/record/run_record.hpp>

#include <gdsim/record/launch_record.hpp>
#include <gdsim/record/phases.hpp>
#include <gdsim/record/time_use.hpp>
#include <gdsim/record/timeline.hpp>

#include <algorithm>

namespace gdsim {

ResidentTimeline resident_of(const Timeline& timeline, SimTime end) {
  if (timeline.empty()) return {};
  ResidentTimeline resident{{}, end};
  for (const TimelinePoint& point : timeline) resident.points.push_back({point.time, point.counts.resident.threads});
  return resident;
}

WaitSeries::WaitSeries(std::size_t columns) : columns_(columns) {}

WaitSeries::WaitSeries(std::size_t columns, Duration width, std::uint64_t max_intervals)
    : columns_(columns), width_(width), fixed_(max_intervals) {}

Int128 WaitSeries::waited(std::uint64_t interval, std::size_t column) const {
  const auto& [waited, changes] = columns_[column];
  Int128 time = interval < waited.size() ? waited[interval] : 0;
  // The last change ends the last wait.
  if (interval + 1 < changes.size()) {
    Int128 threads = 0;
    for (std::uint64_t i = 0; i <= interval; ++i) threads += changes[i];
    time += threads * width_.count;
  }
  return time;
}

void IdleUses::Iterator::pass_zeros() {
  if (rows_->empty()) return;
  for (const std::size_t cores = rows_->front().context_times.size(); core_ < cores; ++core_, row_ = 0)
    for (; row_ < rows_->size(); ++row_)
      if ((*rows_)[row_].context_times[core_] != 0) return;
  row_ = 0;
}

bool operator==(const IdleUses& a, const IdleUses& b) { return std::equal(a.begin(), a.end(), b.begin(), b.end()); }

std::string_view name_of(PhaseShape kind) {
  switch (kind) {
    case PhaseShape::constant: return "constant";
    case PhaseShape::band: return "band";
    case PhaseShape::ramp: return "ramp";
    case PhaseShape::tail: return "tail";
  }
  return {};
}

Ratio Phase::occupancy_percent(std::uint64_t contexts) const {
  if (contexts == 0 || (kind != PhaseShape::constant && duration().count == 0)) return {};
  if (kind == PhaseShape::constant) return {UInt128{resident} * 100, contexts};
  return {static_cast<UInt128>(resident_time) * 100, UInt128{contexts} * static_cast<std::uint64_t>(duration().count)};
}

bool PhaseRules::is_shorter(Duration duration, Duration whole, std::int64_t times) const {
  if (min_phase.time) return duration.count < Int128{min_phase.time->count} * times;
  // Below 2^127: both parts of the share are below 2^58, `times` is below 32.
  return Int128{duration.count} * static_cast<std::int64_t>(min_phase.share_of_run.denominator) <
         Int128{whole.count} * static_cast<std::int64_t>(min_phase.share_of_run.numerator) * times;
}

bool PhaseRules::is_in_band(std::uint64_t difference) const {
  // Both parts of the share are below 2^64.
  return UInt128{difference} * static_cast<std::uint64_t>(band.denominator) <=
         UInt128{contexts} * static_cast<std::uint64_t>(band.numerator);
}

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

std::string_view name_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::completed: return "completed";
    case Outcome::deadlock: return "stalled";
    case Outcome::interrupted: return "interrupted";
    case Outcome::bounded: return "bounded";
  }
  return {};
}

std::string_view name_of(DeviceUse use) {
  switch (use) {
    case DeviceUse::running: return "running";
    case DeviceUse::draining: return "draining";
    case DeviceUse::saving: return "saving";
    case DeviceUse::restoring: return "restoring";
    case DeviceUse::waiting: return "waiting";
  }
  return {};
}

std::uint64_t RunRecord::work_groups_dispatched() const {
  std::uint64_t sum = 0;
  for (const LaunchRecord& launch : launches) sum += launch.work_groups_dispatched;
  return sum;
}

std::uint64_t RunRecord::work_groups_ended() const {
  std::uint64_t sum = 0;
  for (const LaunchRecord& launch : launches) sum += launch.work_groups_ended;
  return sum;
}

Ratio RunRecord::peak_occupancy() const {
  if (contexts_total == 0) return {};
  return {UInt128{peak_resident} * 100, contexts_total};
}

Ratio RunRecord::mean_occupancy() const {
  if (active().count == 0 || contexts_total == 0) return {};
  return {static_cast<UInt128>(resident_time) * 100,
          UInt128{contexts_total} * static_cast<std::uint64_t>(active().count)};
}

namespace {

Ratio percent_of_cores(Int128 resident_time, Int128 core_time, std::uint64_t contexts_per_core) {
  if (core_time == 0 || contexts_per_core == 0) return {};
  return {static_cast<UInt128>(resident_time) * 100, static_cast<UInt128>(core_time) * contexts_per_core};
}

}  // namespace

Ratio RunRecord::achieved_occupancy() const { return percent_of_cores(resident_time, core_time, contexts_per_core); }

Ratio RunRecord::achieved_occupancy(const LaunchRecord& launch) const {
  return percent_of_cores(launch.resident_time, launch.core_time, contexts_per_core);
}

std::optional<Ratio> RunRecord::elapsed_occupancy(const LaunchRecord& launch) const {
  const OptionalDuration duration = launch.duration();
  if (!duration) return std::nullopt;
  if (duration->count == 0 || contexts_total == 0) return Ratio{};
  return Ratio{static_cast<UInt128>(launch.resident_time) * 100,
               UInt128{contexts_total} * static_cast<std::uint64_t>(duration->count)};
}

}  // namespace gdsim
