#include <gdsim/record/run_record.hpp>

namespace gdsim {

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
