#include <gdsim/analysis/time_account.hpp>

#include <optional>

namespace gdsim {

TimeAccount time_account(const RunView& view) {
  TimeAccount account;
  const auto add = [&](const DeviceCounts& counts, Duration duration, std::uint64_t times) {
    const UInt128 time = static_cast<UInt128>(duration.count) * times;
    const std::uint64_t busy_contexts = counts.cores_busy * view.record.contexts_per_core;
    account.running += time * counts.resident.running;
    account.stalled += time * counts.resident.stalled();
    account.beside += time * (busy_contexts - counts.resident.threads);
    account.empty += time * (view.record.contexts_total - busy_contexts);
  };
  std::optional<TimelinePoint> last;
  view.timeline.visit_pieces([&](const auto& piece) {
    if (last) add(last->counts, piece.points.front().time - last->time, 1);
    for (std::size_t i = 0; i + 1 < piece.points.size(); ++i)
      add(piece.points[i].counts, piece.points[i + 1].time - piece.points[i].time, piece.repetitions);
    last = piece.points.back();
    add(last->counts, piece.points.front().time + piece.period - last->time, piece.repetitions - 1);
    last->time = last->time + Duration{static_cast<std::int64_t>(piece.repetitions - 1) * piece.period.count};
  });
  if (last) add(last->counts, view.record.end - last->time, 1);
  return account;
}

}  // namespace gdsim
