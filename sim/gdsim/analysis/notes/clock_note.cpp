#include <gdsim/analysis/notes/clock_note.hpp>

#include <gdsim/base/quantity.hpp>

#include <fmt/format.h>

#include <utility>

namespace gdsim {

std::optional<std::string> clocks_in_force(const DeviceSpec& device, const RunRecord& record) {
  constexpr std::size_t max_named = 4;
  const ClockSchedule clocks(device);
  const std::size_t last = clocks.number_before(record.end);
  if (last == 0) return std::nullopt;
  std::string text = to_text(clocks.clock(0));
  for (std::size_t i = 1; i <= last && i <= max_named; ++i)
    text += fmt::format(", from {} on {}", to_text(clocks.begin_of(i)), to_text(clocks.clock(i)));
  if (last > max_named) text += fmt::format(", and {} more", last - max_named);
  return text;
}

std::optional<std::string> power_note(const DeviceSpec& device, const RunRecord& record) {
  if (!device.power) return std::nullopt;
  const PowerRule& power = *device.power;
  const PowerRule::Level& lowest = power.levels.front();
  const auto most = static_cast<std::int64_t>(record.peak_resident) * lowest.per_busy_context.count + power.idle.count;
  if (most <= power.limit.count) return std::nullopt;
  return fmt::format(
      "The limit of `power`, {}, cannot be kept: with {} contexts held, the device takes {} under its lowest "
      "clock, {}.",
      to_text(power.limit), record.peak_resident, to_text(Power{most}), to_text(lowest.clock));
}

std::optional<std::string> clock_note(const DeviceSpec& device, const RunRecord& record) {
  const auto clocks = clocks_in_force(device, record);
  if (!clocks) return std::nullopt;
  const char* cause = device.power ? "The clock changes by the declared rule of `power`" : "The clock changes";
  return fmt::format("{}: {}. Cycles follow it; times and bandwidths do not.", cause, *clocks);
}

std::vector<std::string> notes_on_clocks(const DeviceSpec& device, const RunRecord& record) {
  std::vector<std::string> notes;
  if (auto note = clock_note(device, record)) notes.push_back(std::move(*note));
  if (auto note = power_note(device, record)) notes.push_back(std::move(*note));
  return notes;
}

}  // namespace gdsim
